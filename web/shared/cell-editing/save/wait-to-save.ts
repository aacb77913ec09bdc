/** What a writer needs to wait for whoever is away. */
export type WaitDeps = {
  /** Settles when it makes sense to try again, after so many tries in vain. */
  readonly untilReachable: (tries: number) => Promise<void>
  /** Whether whoever edits is signed in; `away`: their session ended by itself, and they may come back. */
  readonly owner: () => 'here' | 'away' | 'gone'
  /** Settles when they are no longer away. */
  readonly untilOwner: () => Promise<void>
}

/** What is told of it. */
export type WaitNotification = { readonly is: 'waiting'; readonly for: 'server' | 'sign-in' }

type WaitContext = WaitDeps & { readonly tell: (told: WaitNotification) => void }

/** What was edited waits where the session ended by itself, until the same person is back; answers how often it waited. */
export async function waitForOwner({ owner, tell, untilOwner }: WaitContext): Promise<number> {
  if (owner() !== 'away') return 0
  tell({ is: 'waiting', for: 'sign-in' })
  await untilOwner()
  return 1
}

/** Waits until it makes sense to try again; for whoever is away the next round waits. */
export async function waitToSend({ owner, tell, untilReachable }: WaitContext, tries: number): Promise<void> {
  if (owner() !== 'here') return
  if (tries === 0) tell({ is: 'waiting', for: 'server' })
  await untilReachable(tries)
}
