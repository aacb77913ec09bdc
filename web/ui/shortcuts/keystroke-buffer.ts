/** A key as it was pressed. */
export type TypedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** So long at most, in ms: what was asked for is not coming then, and the keys are the page's again. */
const MAX_AGE_MS = 3000

/**
 * The text after one more key: a sign is added, Backspace takes one back, Enter has nothing to take yet. Undefined where
 * the key is not for a field of text.
 */
export function bufferKeysAfter(
  text: string,
  { key, ctrlKey, metaKey, altKey, isComposing }: TypedKey,
): string | undefined {
  // Both together make signs of the third level of some keyboards.
  if (isComposing || metaKey || ctrlKey !== altKey) return undefined
  if (key === 'Enter') return text
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  return [...key].length === 1 ? text + key : undefined
}

/**
 * Keeps what is typed from the moment a field was asked for until it has the keyboard, which would otherwise be lost, run
 * what single keys run, or be written where the keyboard was before.
 */
function createKeystrokeBuffer() {
  let text = ''
  let begunAtMs = 0

  function keep(event: KeyboardEvent) {
    const after = Date.now() - begunAtMs > MAX_AGE_MS ? undefined : bufferKeysAfter(text, event)
    if (after === undefined) return void end()
    text = after
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function end(): string {
    window.removeEventListener('keydown', keep, { capture: true })
    const kept = text
    text = ''
    return kept
  }

  return {
    begin: () => {
      begunAtMs = Date.now()
      window.addEventListener('keydown', keep, { capture: true })
    },
    /** The field has the keyboard now; answers what was typed for it. */
    end,
  }
}

/** What is typed ahead in this tab. */
export const keystrokeBuffer = createKeystrokeBuffer()
