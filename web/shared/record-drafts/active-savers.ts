import { type ConnectionState, connectionState } from '#web/data/connection/connection-state.ts'
import type { DraftOwner } from '#web/data/storage/draft-storage.ts'
import { hasSignedOut, type SessionState, sessionState } from '#web/data/session/session-state.ts'
import type { DraftSaver } from './draft-saver.ts'

type ActiveSaversDeps = {
  readonly connection: Pick<ConnectionState, 'reachable'>
  readonly session: Pick<SessionState, 'get' | 'subscribe'>
}

type Owner = Pick<DraftOwner, 'userId' | 'record'>

type ActiveSaver = { readonly saver: DraftSaver; openings: number; readonly endIfDone: () => void }

const keyOf = ({ userId, record }: Owner): string => `${userId} ${record}`

/** One saver per user and record in this tab, because two would send the same edits and conflict. */
export function createActiveSavers({ connection, session }: ActiveSaversDeps) {
  const held = new Map<string, ActiveSaver>()

  function hold(key: string, saver: DraftSaver): ActiveSaver {
    const stops = [
      saver.subscribe(endIfDone),
      // Saves pending edits when the server is reachable again, even after the user has left the page.
      connection.reachable.subscribe(() => {
        if (connection.reachable.get() && saver.hasUnsaved()) void saver.flush()
      }),
    ]
    const one: ActiveSaver = { saver, openings: 0, endIfDone }
    held.set(key, one)
    function endIfDone() {
      if (one.openings > 0 || saver.isWaiting()) return
      for (const stop of stops) stop()
      if (held.get(key) === one) held.delete(key)
    }
    return one
  }

  session.subscribe(() => {
    if (!hasSignedOut(session.get())) return
    for (const { saver } of held.values()) saver.discard()
  })

  return {
    of: (owner: Owner): DraftSaver | undefined => held.get(keyOf(owner))?.saver,
    /**
     * Keeps a saver while its record is open or has unsent edits; call the returned function when closing the record.
     */
    open: (owner: Owner, saver: DraftSaver): (() => void) => {
      const key = keyOf(owner)
      const known = held.get(key)
      const one = known?.saver === saver ? known : hold(key, saver)
      one.openings += 1
      return () => {
        one.openings -= 1
        one.endIfDone()
      }
    },
  }
}

export const activeSavers = createActiveSavers({ connection: connectionState, session: sessionState })
