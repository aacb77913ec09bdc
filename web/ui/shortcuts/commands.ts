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
