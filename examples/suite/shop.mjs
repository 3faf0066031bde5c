// Stands in for the assistant of a shop, so that the example runs offline. It is no model.
const prices = { jacket: 79, hat: 25 };

/** Answers one task; tells which tools it called. */
function answer(task) {
  if (/letter/i.test(task)) {
    return {
      output: "Dear customer,\n\nyour jacket has arrived. The refund is on its way. It will be there by Friday.",
    };
  }
  const order = /order (\d+)/i.exec(task);
  if (order) {
    const call = { name: "look_up_order", arguments: { id: Number(order[1]) }, result: { arrives: "Thursday" } };
    return { output: `Order ${order[1]} arrives on ${call.result.arrives}.`, tool_calls: [call] };
  }
  if (/send .* back/i.test(task)) return { output: "Yes: you have 30 days to send it back, and pay nothing." };
  const name = Object.keys(prices).find((thing) => task.includes(thing));
  if (name) return { output: `The ${name} costs ${prices[name]} euros.` };
  return { output: "Hello! How can I help you?" };
}

let task = "";
for await (const chunk of process.stdin.setEncoding("utf8")) task += chunk;
console.log(JSON.stringify({ turns: 1, ...answer(task) }));
