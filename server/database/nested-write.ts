import { AsyncLocalStorage } from 'node:async_hooks'

type Mark = { isOpen: boolean }

const around = new AsyncLocalStorage<Mark>()

/** Throws when the caller stands inside the work of another write: waiting for itself, it would wait for ever. */
export function refuseNestedWrite(): void {
  if (around.getStore()?.isOpen) {
    throw new Error('A write was begun inside another write. Hand the transaction on instead.')
  }
}

/** Runs the work of a write so that a write begun inside it is noticed. */
export async function runMarked<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const mark: Mark = { isOpen: true }
  try {
    return await around.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}
