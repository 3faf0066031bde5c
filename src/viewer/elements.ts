import { visible } from "../core/text.js";

type Child = Node | string | false | undefined;
type Attributes = Record<string, string | boolean | undefined>;

/**
 * An element. Its texts may come from anywhere: they are put in as text, and without what would move a cursor or turn
 * other text around. Attributes are ours.
 */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  for (const child of children) {
    if (child) element.append(typeof child === "string" ? visible(child) : child);
  }
  return element;
}

/** An element of a drawing. */
export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[T] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  for (const child of children) {
    if (child) element.append(typeof child === "string" ? visible(child) : child);
  }
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value) element.setAttribute(name, value);
  }
}
