import { useEffect, useRef } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

export type Command = {
  readonly id: string
  readonly label: string
  /**
   * `page`: related to the current page; `create`: creates something; `app`: available everywhere; `key`: keyboard
   * only.
   */
  readonly about: 'page' | 'create' | 'app' | 'key'
  readonly alsoCalled?: string
  readonly icon?: Icon
  readonly run: () => void
}

type PendingCommand = { readonly id: string; readonly path: string }

export function createCommands(pathOf: () => string) {
  let offered: readonly Command[] = []
  let request: PendingCommand | undefined
  const find = (id: string) => offered.findLast((command) => command.id === id)

  function runPending() {
    const command = request?.path === pathOf() ? find(request.id) : undefined
    if (!command) return
    request = undefined
    command.run()
  }
  return {
    all: (): readonly Command[] => offered.filter((command) => command === find(command.id)),
    offer: (command: Command): (() => void) => {
      offered = [...offered, command]
      runPending()
      return () => {
        offered = offered.filter((one) => one !== command)
      }
    },
    run: (id: string): boolean => {
      const command = find(id)
      command?.run()
      return command !== undefined
    },
    /**
     * Runs a command on a page that is being opened, once the page registers it; a later call replaces an earlier one.
     */
    runAt: (path: string, id: string): void => {
      request = { id, path }
      runPending()
    },
  }
}

export const commands = createCommands(() => window.location.pathname)

/** Registers a command while the component is mounted, unless it is undefined or false. */
export function useCommand(given: Command | false | undefined): void {
  const command = given || undefined
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

type TypedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** In ms: maximum time for which keys are buffered. */
const MAX_AGE_MS = 3000

/** The buffered text after another key press; Enter leaves it unchanged. Undefined if the key isn't text input. */
export function bufferKeysAfter(
  text: string,
  { key, ctrlKey, metaKey, altKey, isComposing }: TypedKey,
): string | undefined {
  // On some keyboards, Ctrl+Alt types AltGr characters.
  if (isComposing || metaKey || ctrlKey !== altKey) return undefined
  if (key === 'Enter') return text
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  return [...key].length === 1 ? text + key : undefined
}

/** Buffers keystrokes from the time focus is requested until the field has it. */
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
    end,
  }
}

export const keystrokeBuffer = createKeystrokeBuffer()
