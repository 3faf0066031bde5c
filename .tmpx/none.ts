(globalThis as any).x=1;
