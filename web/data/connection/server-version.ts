/** The header in which the server tells its version with every answer. */
export const VERSION_HEADER = 'dossier-version'

/** Knows whether the server was updated since this page came from it. */
export function createVersionState() {
  let own: string | undefined
  let latest: string | undefined
  let isPartMissing = false
  let dismissed: string | undefined
  const listeners = new Set<() => void>()
  const isOutdated = () => isPartMissing || (latest !== own && latest !== dismissed)

  function change(by: () => void) {
    const before = isOutdated()
    by()
    if (isOutdated() !== before) for (const listener of listeners) listener()
  }

  return {
    isOutdated,
    /** The version of an answer. The first is that of this page: it came from the same server a moment ago. */
    heard: (version: string | null): void =>
      change(() => {
        if (version === null) return
        own ??= version
        latest = version
      }),
    /** A part of this page is gone from a server that answers. */
    partIsMissing: (): void =>
      change(() => {
        isPartMissing = true
      }),
    /** Whoever is in the middle of something wants to hear of it again with the next version only. */
    dismiss: (): void =>
      change(() => {
        isPartMissing = false
        dismissed = latest
      }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The version of this page and of its server. */
export const versionState = createVersionState()
