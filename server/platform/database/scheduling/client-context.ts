import { AsyncLocalStorage } from 'node:async_hooks'

const clientStorage = new AsyncLocalStorage<string>()

/** Runs work for somebody; its reads take turns with those of others. */
export const runAsClient = <Answer>(clientId: string, work: () => Answer): Answer => clientStorage.run(clientId, work)

/** For whom what runs here was asked; what the program does by itself counts as one asker. */
export const currentClient = (): string => clientStorage.getStore() ?? 'the server'
