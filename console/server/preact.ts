// What the server takes for preact: elements are written down as HTML once, without events, effects or changes of state. Pages import
// preact; scripts/build-browser.ts puts this in its place for the file that the server runs.

import { escaped } from '../../src/domain/pages/html.ts';

type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };
type Child = unknown;
type DrawnFunction = ((props: Props) => Child) & { readonly prototype?: { readonly render?: unknown } };

export interface DrawnElement {
  readonly type: string | DrawnFunction;
  readonly props: Props;
}

export function jsx(type: string | DrawnFunction, props: Props): DrawnElement {
  return { type, props };
}
export const jsxs = jsx;

export function Fragment({ children }: Props): Child {
  return children;
}

export class Component {
  readonly props: Props;

  constructor(props: Props) {
    this.props = props;
  }
}

export function render(): void {}

// ---- hooks

export function useState<T>(first: T | (() => T)): readonly [T, () => void] {
  return [typeof first === 'function' ? (first as () => T)() : first, () => {}];
}

export function useRef<T>(first: T): { current: T } {
  return { current: first };
}

export function useEffect(): void {}
export const useLayoutEffect = useEffect;

let ids = 0;

/** Another one than the browser's, which puts its own in its place. */
export function useId(): string {
  ids += 1;
  return `D${ids}`;
}

// ---- HTML

const voidElements = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);
/** As preact has them, and as HTML has them. */
const attributeNames: Readonly<Record<string, string>> = {
  defaultValue: 'value',
  defaultChecked: 'checked',
};

export function htmlOf(child: Child, selected?: unknown): string {
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (Array.isArray(child)) return child.map((one) => htmlOf(one, selected)).join('');
  if (typeof child !== 'object') return escaped(String(child));
  const { type, props } = child as DrawnElement;
  if (typeof type === 'string') return elementHtml(type, props, selected);
  if (type.prototype?.render === undefined) return htmlOf(type(props), selected);
  const made = new (type as unknown as new (props: Props) => { render(): Child })(props);
  return htmlOf(made.render(), selected);
}

function elementHtml(tag: string, { children, ...props }: Props, selected: unknown): string {
  if (tag === 'select') {
    const { value, defaultValue, ...others } = props;
    return `<select${attributesHtml(others)}>${htmlOf(children, value ?? defaultValue)}</select>`;
  }
  const chosen = tag === 'option' && selected !== undefined && props.value === selected;
  const opening = `<${tag}${attributesHtml(chosen ? { ...props, selected: true } : props)}>`;
  return voidElements.has(tag) ? opening : `${opening}${htmlOf(children, selected)}</${tag}>`;
}

/** Events and styles come with the script: the policy of the page allows neither in HTML. */
function attributesHtml(props: Readonly<Record<string, unknown>>): string {
  return Object.entries(props)
    .map(([name, value]) => {
      if (value === null || value === undefined || typeof value === 'object') return '';
      if (typeof value === 'function' || /^(?:key|ref|on[A-Z]\w*)$/.test(name)) return '';
      // Only of these is "false" a value like any other.
      if (value === false && !/^(?:aria|data)-/.test(name)) return '';
      const written = value === true && !/^(?:aria|data)-/.test(name) ? '' : escaped(String(value));
      return ` ${attributeNames[name] ?? svgName(name)}="${written}"`;
    })
    .join('');
}

/** Names of SVG keep their case. */
function svgName(name: string): string {
  return name === 'viewBox' || name === 'preserveAspectRatio' ? name : name.toLowerCase();
}
