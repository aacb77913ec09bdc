export type TourStep = {
  /** CSS selector of the target element; `[data-tour="…"]` is independent of the page's design. */
  readonly selector: string
  readonly title: string
  readonly text: string
  /** Whether the step is skipped immediately if its element isn't on the page. */
  readonly isOptional?: boolean
}

export type TourDefinition = { readonly version: number; readonly steps: readonly [TourStep, ...TourStep[]] }

export type TourEnding = 'done' | 'dismissed'

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

export type TourEvent =
  | { readonly type: 'start'; readonly tour: string; readonly from?: number }
  | { readonly type: 'found' }
  | { readonly type: 'missing'; readonly stepCount: number }
  | { readonly type: 'go'; readonly to: number }
  | { readonly type: 'close'; readonly stepCount: number }

function shownStep(state: TourState): number | undefined {
  if (state.status === 'showing') return state.step
  return state.status === 'seeking' ? state.shown : undefined
}

/** Skips a step whose element doesn't appear, continuing in the current direction. */
function afterMissing(state: Extract<TourState, { status: 'seeking' }>, stepCount: number): TourState {
  const { tour, step, direction, shown } = state
  const next = step + direction
  if (next >= 0 && next < stepCount) return { ...state, step: next }
  if (direction === -1 && shown !== undefined) return { status: 'showing', tour, step: shown }
  // No step was shown, so the tour can be offered again.
  if (shown === undefined) return { status: 'idle' }
  return { status: 'idle', ended: { tour, step: shown, how: 'done' } }
}

export function nextTourState(state: TourState, event: TourEvent): TourState {
  if (event.type === 'start') {
    return { status: 'seeking', tour: event.tour, step: event.from ?? 0, direction: 1, shown: undefined }
  }
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
