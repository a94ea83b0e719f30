// A list that is read page by page and grows at its end: comments, responses. What is shown stays where it is; that newer ones have
// come is said, and they are shown when somebody asks for them.

import { useEffect, useRef, useState } from 'preact/hooks';
import { moved } from '../../frame/moved.ts';
import { takePreloaded } from '../../frame/page-preload.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly complete: boolean;
  readonly position: number;
}

interface PagePlace {
  readonly cursor?: string;
  readonly limit?: number;
}

interface State<Item> {
  readonly path: string | null;
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly isComplete: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
}

export interface Walk<Item> extends State<Item> {
  /** Nothing of this address is there yet. */
  readonly isFirst: boolean;
  readonly hasNewer: boolean;
  /** Gives how many there were before. */
  readonly more: () => Promise<number>;
  readonly restart: () => void;
}

/** `path` is that of the first page; another one is another list. */
export function useWalk<Item extends { readonly id: string }>(
  path: string,
  ask: (place: PagePlace) => Promise<Page<Item>>,
): Walk<Item> {
  const [first] = useState(() => takePreloaded(path) as Page<Item> | undefined);
  const [state, setState] = useState<State<Item>>({
    path: first === undefined ? null : path,
    items: first?.items ?? [],
    next: first?.next ?? null,
    isComplete: first?.complete ?? true,
    isLoading: first === undefined,
    error: null,
  });
  const [begun, setBegun] = useState(0);
  const [hasNewer, setNewer] = useState(false);
  const position = useRef(first?.position ?? 0);
  const isGiven = useRef(first !== undefined);
  const newest = useRef(state);
  newest.current = state;
  const wanted = useRef(path);
  wanted.current = path;

  const load = async (before: State<Item>): Promise<void> => {
    setState({ ...before, isLoading: true, error: null });
    let after: State<Item>;
    try {
      const page = await ask(before.next === null ? {} : { cursor: before.next });
      if (before.path === null) position.current = page.position;
      after = {
        ...{ path, items: [...before.items, ...page.items], next: page.next },
        ...{ isComplete: page.complete, isLoading: false, error: null },
      };
    } catch (error) {
      after = { ...before, isLoading: false, error };
    }
    if (wanted.current === path) setState(after);
  };

  useEffect(() => {
    // What stood in the page need not be asked for.
    if (isGiven.current) {
      isGiven.current = false;
      return;
    }
    setNewer(false);
    const items = begun === 0 || newest.current.path === path ? newest.current.items : [];
    // What was there stays until the new ones are.
    setState({ ...newest.current, items, isLoading: true });
    void load({ ...{ path: null, items: [], next: null, isComplete: true, isLoading: true, error: null } });
  }, [path, begun]);

  const round = moved.value;
  useEffect(() => {
    if (round === 0 || newest.current.path === null) return;
    ask({ limit: 1 }).then(
      (page) => {
        const [first] = page.items;
        if (page.position > position.current && first?.id !== newest.current.items[0]?.id) setNewer(true);
      },
      // The line about the connection says what is the matter.
      () => {},
    );
  }, [round]);

  return {
    ...state,
    isFirst: state.path !== path,
    hasNewer,
    more: async () => {
      const count = newest.current.items.length;
      if (newest.current.next !== null && !newest.current.isLoading) await load(newest.current);
      return count;
    },
    restart: () => setBegun((times) => times + 1),
  };
}
