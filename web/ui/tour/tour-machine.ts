/** One stop of a tour: what is pointed at, and what is said about it. */
export type TourStep = {
  /** CSS selector of the element pointed at; `[data-tour="…"]` outlives redesigns. */
  readonly selector: string
  readonly title: string
  readonly text: string
  /** Not everybody has it on their page: passed over at once where it is not there. */
  readonly isOptional?: boolean
  /** Where in the app the element is; left out: on the page that is open. */
  readonly route?: string
}

/** A tour. A higher version is a tour people have not seen. */
export type TourDefinition = { readonly version: number; readonly steps: readonly [TourStep, ...TourStep[]] }

/** How a tour ended. */
export type TourEnding = 'done' | 'dismissed'

/** Where a tour stands. `shown` is the step on the screen, if there was one yet; it stays while the next is sought. */
export type TourState =
  | {
      readonly status: 'idle'
      readonly ended?: { readonly tour: string; readonly step: number; readonly how: TourEnding }
    }
  | {
      readonly status: 'seeking'
      readonly tour: string
      readonly step: number
      readonly direction: 1 | -1
      readonly shown: number | undefined
    }
  | { readonly status: 'showing'; readonly tour: string; readonly step: number }

/** What can happen to a tour. `stepCount` is that of the tour that runs. */
export type TourEvent =
  /** `from`: the step it goes on at; left out: from the first. */
  | { readonly type: 'start'; readonly tour: string; readonly from?: number }
  /** Begins at once with the first step, which is on the open page. */
  | { readonly type: 'show'; readonly tour: string }
  | { readonly type: 'found' }
  | { readonly type: 'missing'; readonly stepCount: number }
  | { readonly type: 'go'; readonly to: number }
  | { readonly type: 'close'; readonly stepCount: number }

function shownStep(state: TourState): number | undefined {
  if (state.status === 'showing') return state.step
  return state.status === 'seeking' ? state.shown : undefined
}

/** A step whose element does not come is passed over, in the direction one is going. */
function afterMissing(state: Extract<TourState, { status: 'seeking' }>, stepCount: number): TourState {
  const { tour, step, direction, shown } = state
  const next = step + direction
  if (next >= 0 && next < stepCount) return { ...state, step: next }
  if (direction === -1 && shown !== undefined) return { status: 'showing', tour, step: shown }
  // Nothing was shown at all: the tour did not happen, and may be offered again.
  if (shown === undefined) return { status: 'idle' }
  return { status: 'idle', ended: { tour, step: shown, how: 'done' } }
}

/** What becomes of a tour when something happens. */
export function nextTourState(state: TourState, event: TourEvent): TourState {
  if (event.type === 'start') {
    return { status: 'seeking', tour: event.tour, step: event.from ?? 0, direction: 1, shown: undefined }
  }
  if (event.type === 'show') return { status: 'showing', tour: event.tour, step: 0 }
  if (state.status === 'idle') return state

  const shown = shownStep(state)
  switch (event.type) {
    case 'found':
      return { status: 'showing', tour: state.tour, step: state.step }
    case 'missing':
      return state.status === 'seeking' ? afterMissing(state, event.stepCount) : state
    case 'go': {
      const direction = event.to < state.step ? -1 : 1
      return { status: 'seeking', tour: state.tour, step: event.to, direction, shown }
    }
    case 'close': {
      if (shown === undefined) return { status: 'idle' }
      const how = shown === event.stepCount - 1 ? 'done' : 'dismissed'
      return { status: 'idle', ended: { tour: state.tour, step: shown, how } }
    }
  }
}
