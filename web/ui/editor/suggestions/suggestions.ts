import type { SuggestionKeyDownProps, SuggestionOptions, SuggestionProps } from '@tiptap/suggestion'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

export type SuggestionItem = {
  readonly id: string
  readonly label: string
  readonly icon?: Icon
  readonly detail?: string
  readonly keys?: string | undefined
}

export type OpenSuggestions = {
  readonly label: string
  readonly choices: readonly SuggestionItem[]
  readonly isCut: boolean
  readonly active: number
  readonly place: () => DOMRect | null
  readonly choose: (at: number) => void
}

export type SuggestionStore = {
  readonly current: () => OpenSuggestions | undefined
  readonly set: (open: OpenSuggestions | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function suggestionStore(): SuggestionStore {
  let open: OpenSuggestions | undefined
  const listeners = new Set<() => void>()
  return {
    current: () => open,
    set: (next) => {
      open = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type Renderer<Item extends SuggestionItem> = NonNullable<SuggestionOptions<Item, Item>['render']>

/**
 * Passes the results of a suggestion plugin to the store and handles its keys: arrows, Enter and Tab select, Escape
 * closes.
 */
export function rendererOf<Item extends SuggestionItem>(
  store: SuggestionStore,
  label: string,
  isCut: () => boolean = () => false,
): Renderer<Item> {
  const show = ({ items, command, clientRect, loading }: SuggestionProps<Item, Item>) => {
    // Shows the previous results while more are fetched.
    if (loading && store.current() !== undefined) return
    store.set({
      label,
      choices: items,
      isCut: isCut(),
      active: 0,
      place: () => clientRect?.() ?? null,
      choose: (at) => {
        const item = items[at]
        if (item) command(item)
      },
    })
  }
  return () => ({
    onStart: show,
    onUpdate: show,
    onExit: () => store.set(undefined),
    onKeyDown: ({ event }) => pressKey(store, event),
  })
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function pressKey(store: SuggestionStore, { key, shiftKey }: SuggestionKeyDownProps['event']): boolean {
  const open = store.current()
  if (!open || open.choices.length === 0) return false
  const step = STEPS[key]
  if (step !== undefined) {
    const count = open.choices.length
    store.set({ ...open, active: (open.active + step + count) % count })
    return true
  }
  if (shiftKey || (key !== 'Enter' && key !== 'Tab')) return false
  open.choose(open.active)
  return true
}
