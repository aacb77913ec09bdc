import type { SuggestionKeyDownProps, SuggestionOptions, SuggestionProps } from '@tiptap/suggestion'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { createStore, type Store } from '#web/ui/store.ts'

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

export type SuggestionStore = Store<OpenSuggestions | undefined>

export const createSuggestionStore = (): SuggestionStore => createStore<OpenSuggestions | undefined>(undefined)

type Renderer<Item extends SuggestionItem> = NonNullable<SuggestionOptions<Item, Item>['render']>

/** Passes a suggestion plugin's results to the store and handles its keys. */
export function rendererOf<Item extends SuggestionItem>(
  store: SuggestionStore,
  label: string,
  isCut: () => boolean = () => false,
): Renderer<Item> {
  const show = ({ items, command, clientRect, loading }: SuggestionProps<Item, Item>) => {
    // Shows the previous results while new ones are loading.
    if (loading && store.get() !== undefined) return
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
  const open = store.get()
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
