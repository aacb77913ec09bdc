import { useEffect, useRef } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

/** Something that can be done where one is: offered by the command palette, and by a shortcut that names it. */
export type Command = {
  /** The same wherever it is the same thing, since shortcuts go by it: `new-record`. */
  readonly id: string
  readonly label: string
  /** `page`: about what is shown. `create`: makes something new. `app`: whatever the page. `key`: not listed, by its keys alone. */
  readonly about: 'page' | 'create' | 'app' | 'key'
  /** What else people call it. */
  readonly alsoCalled?: string
  readonly icon?: Icon
  readonly run: () => void
}

type PendingCommand = { readonly id: string; readonly path: string }

/** Keeps what can be done now; `pathOf` tells where one is. */
export function createCommands(pathOf: () => string) {
  let offered: readonly Command[] = []
  let wish: PendingCommand | undefined
  const find = (id: string) => offered.findLast((command) => command.id === id)

  function grantWish() {
    const command = wish?.path === pathOf() ? find(wish.id) : undefined
    if (!command) return
    wish = undefined
    command.run()
  }
  return {
    /** What can be done, one of each; of two that are the same, the one that came last counts. */
    all: (): readonly Command[] => offered.filter((command) => command === find(command.id)),
    /** Offers a command; the answer takes it back. */
    offer: (command: Command): (() => void) => {
      offered = [...offered, command]
      grantWish()
      return () => {
        offered = offered.filter((one) => one !== command)
      }
    },
    /** Whether there was such a command; then it has run. */
    run: (id: string): boolean => {
      const command = find(id)
      command?.run()
      return command !== undefined
    },
    /** Runs a command on a page one is on the way to, as soon as that offers it; another wish takes its place. */
    runAt: (path: string, id: string): void => {
      wish = { id, path }
      grantWish()
    },
  }
}

/** What can be done in this tab. */
export const commands = createCommands(() => window.location.pathname)

/** Offers a command for as long as the part that can do it is shown; undefined where it may not be done. */
export function useCommand(command: Command | undefined): void {
  const latest = useRef(command)
  useEffect(() => {
    latest.current = command
  })
  const { id, label, about, alsoCalled, icon } = command ?? {}
  useEffect(() => {
    if (id === undefined || label === undefined || about === undefined) return undefined
    const more = { ...(alsoCalled !== undefined && { alsoCalled }), ...(icon && { icon }) }
    return commands.offer({ id, label, about, ...more, run: () => latest.current?.run() })
  }, [id, label, about, alsoCalled, icon])
}

/** A key as it was pressed. */
type TypedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

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
