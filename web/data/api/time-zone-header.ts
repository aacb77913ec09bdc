/** The calendar this browser lives by, as requests name it: so that “today” means here what it means to the server. */
export type TimeZoneHeader = {
  readonly headers: () => { readonly [name: string]: string }
  /** Names it no more, since the server does not know it; false if it was not named in the first place. */
  readonly giveUp: () => boolean
}

/** Reads the zone anew for every request: people travel while a page is open. */
export function createTimeZoneHeader(readZone: () => string | undefined): TimeZoneHeader {
  let refused: string | undefined
  const named = (): string | undefined => {
    const zone = readZone()
    // What browsers say where the machine was never told.
    return zone === undefined || zone === '' || zone === 'Etc/Unknown' || zone === refused ? undefined : zone
  }
  return {
    headers: () => {
      const zone = named()
      return zone === undefined ? {} : { 'time-zone': zone }
    },
    giveUp: () => {
      const zone = named()
      refused = zone ?? refused
      return zone !== undefined
    },
  }
}
