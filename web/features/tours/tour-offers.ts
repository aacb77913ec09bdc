import type { TourName } from '#web/data/storage/pending-tour.ts'

export type TourProgress = {
  readonly tour: string
  readonly version: number
  readonly state: 'seen' | 'done' | 'dismissed'
  readonly step: number
}

/** Increase the version when a tour has new content. */
const OFFERED_TOURS = [
  { tour: 'first-steps', version: 1, isForOwners: false },
  { tour: 'owner', version: 1, isForOwners: true },
] as const satisfies readonly { readonly tour: TourName; readonly version: number; readonly isForOwners: boolean }[]

export type TourOffer = (typeof OFFERED_TOURS)[number] & { readonly step: number }

/** The first tour that the user has neither finished nor declined, resuming one that was interrupted by a reload. */
export function tourToOffer(known: readonly TourProgress[], isOwner: boolean): TourOffer | undefined {
  for (const offered of OFFERED_TOURS) {
    const met = known.find(({ tour, version }) => tour === offered.tour && version >= offered.version)
    if (offered.isForOwners && !isOwner) continue
    if (met === undefined || met.state === 'seen') return { ...offered, step: met?.step ?? 0 }
  }
  return undefined
}

/** Replaces the progress of one tour. */
export const withProgress = (known: readonly TourProgress[], progress: TourProgress): TourProgress[] => [
  ...known.filter(({ tour }) => tour !== progress.tour),
  progress,
]
