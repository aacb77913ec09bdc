import { useSyncExternalStore } from 'react'
import type { SessionUser } from '#api/sessions.ts'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { type SessionSnapshot, sessionState } from './session-state.ts'

export const useSession = (): SessionSnapshot => useSyncExternalStore(sessionState.subscribe, sessionState.snapshot)

export const useUser = (): SessionUser | null => useSession().user

export const useIsReachable = (): boolean =>
  useSyncExternalStore(connectionState.subscribe, connectionState.isReachable)
