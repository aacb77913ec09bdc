import { AsyncLocalStorage } from 'node:async_hooks'

type WriteScope = { isOpen: boolean }

const writeStorage = new AsyncLocalStorage<WriteScope>()

/** Throws when called inside another write, which would deadlock. */
export function assertNotInWrite(): void {
  if (writeStorage.getStore()?.isOpen) {
    throw new Error('Nested write: pass on the existing transaction instead.')
  }
}

export async function runInWriteScope<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const mark: WriteScope = { isOpen: true }
  try {
    return await writeStorage.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}
