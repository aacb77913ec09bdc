import { useEffect } from 'react'
import { areSingleKeysEnabled } from '#web/data/storage/browser-storage.ts'
import { commands } from '#web/ui/shortcuts/commands.ts'
import { meaningOf } from '#web/ui/shortcuts/shortcuts.tsx'

/** Elements that use keys themselves. */
const INTERACTIVE_SELECTOR =
  'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable="true"], ' +
  '[role="grid"], [role="listbox"], [role="menu"], [role="dialog"], dialog'

/** Longest wait for the second key of a sequence. */
const WAIT_MS = 1_500

/** Handles the keys of `shortcuts.ts`, unless the focused element uses them. */
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
      // Keys without a command here stay with the browser.
      if (meaning && 'run' in meaning && commands.run(meaning.run)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
