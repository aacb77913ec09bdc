import { useSyncExternalStore } from 'react'
import type { SessionUser } from '#api/sessions.ts'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { type SessionSnapshot, sessionState } from './session-state.ts'

/** Who is signed in, and whether a sign-in is under way. */
export const useSession = (): SessionSnapshot => useSyncExternalStore(sessionState.subscribe, sessionState.snapshot)

/** Whoever is signed in; null for nobody. */
export const useUser = (): SessionUser | null => useSession().user

/** Whether the server can be reached. */
export const useIsReachable = (): boolean =>
  useSyncExternalStore(connectionState.subscribe, connectionState.isReachable)
