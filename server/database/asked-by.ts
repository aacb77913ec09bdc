import { AsyncLocalStorage } from 'node:async_hooks'

const around = new AsyncLocalStorage<string>()

/** Runs work for somebody; its reads take turns with those of others. */
export const askedBy = <Answer>(asker: string, work: () => Answer): Answer => around.run(asker, work)

/** For whom what runs here was asked; what the program does by itself counts as one asker. */
export const askerOfThis = (): string => around.getStore() ?? 'the program'
