import type { SessionUser } from '#api/sessions.ts'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { useStore } from '#web/ui/store.ts'
import { type SessionSnapshot, sessionState } from './session-state.ts'

export const useSession = (): SessionSnapshot => useStore(sessionState)

export const useUser = (): SessionUser | null => useStore(sessionState, ({ user }) => user)

export const useIsReachable = (): boolean => useStore(connectionState.reachable)
