import { AsyncLocalStorage } from 'node:async_hooks'

type WriteScope = { isOpen: boolean }

const writeStorage = new AsyncLocalStorage<WriteScope>()

/** Throws when the caller stands inside the work of another write: waiting for itself, it would wait for ever. */
export function assertNotInWrite(): void {
  if (writeStorage.getStore()?.isOpen) {
    throw new Error('Nested write: pass on the existing transaction instead.')
  }
}

/** Runs the work of a write so that a write begun inside it is noticed. */
export async function runInWriteScope<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const mark: WriteScope = { isOpen: true }
  try {
    return await writeStorage.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}
