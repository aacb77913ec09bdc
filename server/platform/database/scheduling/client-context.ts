import { AsyncLocalStorage } from 'node:async_hooks'

const clientStorage = new AsyncLocalStorage<string>()

/** Runs work for a client; its reads take turns with those of others. */
export const runAsClient = <Answer>(clientId: string, work: () => Answer): Answer => clientStorage.run(clientId, work)

/** The current client; the program's own work counts as one client. */
export const currentClient = (): string => clientStorage.getStore() ?? 'the server'
