import { useEffect } from 'react'
import { areSingleKeysEnabled } from '#web/data/storage/browser-storage.ts'
import { commands } from '#web/ui/shortcuts/commands.ts'
import { meaningOf } from '#web/ui/shortcuts/shortcuts.tsx'

/** Where signs are written, or mean something to what has the keyboard. */
const INTERACTIVE_SELECTOR =
  'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable="true"], ' +
  '[role="grid"], [role="listbox"], [role="menu"], [role="dialog"], dialog'

/** How long the first of two keys waits for the second, in ms. */
const WAIT_MS = 1_500

/** Hears the keys of `shortcuts.ts` from anywhere, unless what has the keyboard has taken them for itself. */
export function useGlobalShortcuts(): void {
  useEffect(() => {
    let first: { readonly keys: string; readonly atMs: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
      const isTaken = target instanceof Element && target.closest(INTERACTIVE_SELECTOR) !== null
      const after = first && Date.now() - first.atMs < WAIT_MS ? first.keys : undefined
      const press = { key, ctrlKey, metaKey, altKey, shiftKey, isTaken }
      const meaning = meaningOf(press, after, areSingleKeysEnabled())
      first = meaning && 'waitAfter' in meaning ? { keys: meaning.waitAfter, atMs: Date.now() } : undefined
      // What is not offered here is not ours: the key stays the browser's.
      if (meaning && 'run' in meaning && commands.run(meaning.run)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
