import { Tour } from '@mantine/core'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import { KIT_TEXTS } from '../kit-texts.ts'
import './tour.css'
import { nextTourState, type TourDefinition, type TourEvent, type TourState } from './tour-machine.ts'
import { waitForElement } from './wait-for-element.ts'

/** How far somebody came, as it is worth storing: one line per person and tour. */
export type TourProgress<Name extends string> = {
  readonly tour: Name
  readonly version: number
  readonly state: 'seen' | 'done' | 'dismissed'
  /** The step last on the screen, counted from 0. */
  readonly step: number
}

/** What the root of the tours needs from the app. */
export type TourRootProps<Name extends string> = {
  readonly children: ReactNode
  /** Opens a page of the app. The step waits for its element, so this need not wait for the page. */
  readonly navigate: (route: string) => void | Promise<void>
  readonly onProgress?: (progress: TourProgress<Name>) => void
  /** Lets no tour begin, for instance in tests of something else. */
  readonly isSilenced?: boolean
}

/** Begins and ends tours from anywhere below the root. */
export type TourControls<Name extends string> = {
  /** Begins a tour because somebody asked for it. */
  readonly start: (tour: Name) => void
  /** Begins a tour nobody asked for: at most one per visit, and only where its first element can be seen. */
  readonly offer: (tour: Name) => void
  readonly stop: () => void
  /** The tour that runs, if one does. */
  readonly running: Name | undefined
}

/**
 * Makes the root and the controls of an app's tours; the names of the registry are checked wherever a tour is begun.
 * Put the root once around everything, so that a tour outlives a change of page.
 */
export function createTours<Name extends string>(registry: Readonly<Record<Name, TourDefinition>>) {
  // Outside of the root nothing begins: a page shown alone, in a test, needs no tours.
  const Controls = createContext<TourControls<Name>>({ start() {}, offer() {}, stop() {}, running: undefined })
  const isName = (name: string): name is Name => Object.hasOwn(registry, name)
  const definitionOf = (name: string) => (isName(name) ? registry[name] : undefined)

  function TourRoot(props: TourRootProps<Name>) {
    const { children, navigate, isSilenced = false } = props
    const [state, dispatch] = useReducer(nextTourState, { status: 'idle' })
    const wasOffered = useRef(false)
    const report = useEffectEvent((progress: TourProgress<Name>) => props.onProgress?.(progress))

    useSeeking(state, { dispatch, definitionOf, navigate })

    useEffect(() => {
      const told = toldBy(state)
      if (!told || !isName(told.tour)) return
      report({ ...told, tour: told.tour, version: registry[told.tour].version })
    }, [state])

    const running = state.status !== 'idle' && isName(state.tour) ? state.tour : undefined
    const controls = useMemo((): TourControls<Name> => {
      const start = (tour: Name) => !isSilenced && dispatch({ type: 'start', tour })
      const offer = (tour: Name) => {
        if (wasOffered.current || !document.querySelector(registry[tour].steps[0].selector)) return
        wasOffered.current = true
        start(tour)
      }
      const stop = () => dispatch({ type: 'close', stepCount: running ? registry[running].steps.length : 0 })
      return { start, offer, stop, running }
    }, [isSilenced, running])

    return (
      <Controls value={controls}>
        {children}
        <TourCard state={state} definition={running && registry[running]} dispatch={dispatch} />
      </Controls>
    )
  }

  function useTours(): TourControls<Name> {
    return use(Controls)
  }

  return { TourRoot, useTours }
}

function toldBy(state: TourState): { tour: string; state: 'seen' | 'done' | 'dismissed'; step: number } | undefined {
  if (state.status === 'showing') return { tour: state.tour, step: state.step, state: 'seen' }
  if (state.status === 'idle' && state.ended) {
    return { tour: state.ended.tour, step: state.ended.step, state: state.ended.how }
  }
  return undefined
}

type Seeking = {
  readonly dispatch: (event: TourEvent) => void
  readonly definitionOf: (tour: string) => TourDefinition | undefined
  readonly navigate: (route: string) => void | Promise<void>
}

/** While a step is sought: opens its page and waits for its element. */
function useSeeking(state: TourState, { dispatch, definitionOf, navigate }: Seeking) {
  const seek = useEffectEvent(async (tour: string, at: number, signal: AbortSignal) => {
    const definition = definitionOf(tour)
    const step = definition?.steps[at]
    if (!definition || !step) return
    if (step.route !== undefined) await navigate(step.route)
    const isThere = await waitForElement(step.selector, signal)
    if (signal.aborted) return
    dispatch(isThere ? { type: 'found' } : { type: 'missing', stepCount: definition.steps.length })
  })

  const tour = state.status === 'seeking' ? state.tour : undefined
  const at = state.status === 'seeking' ? state.step : -1
  useEffect(() => {
    if (tour === undefined) return
    const seeking = new AbortController()
    void seek(tour, at, seeking.signal)
    return () => seeking.abort()
  }, [tour, at])
}

function TourCard(props: {
  state: TourState
  definition: TourDefinition | undefined
  dispatch: (event: TourEvent) => void
}) {
  const { state, definition, dispatch } = props
  const shown = state.status === 'seeking' ? state.shown : state.status === 'showing' ? state.step : undefined
  const steps = definition?.steps ?? []

  return (
    <Tour
      active={shown !== undefined}
      step={shown ?? 0}
      onStepChange={(to) => dispatch({ type: 'go', to })}
      onClose={() => dispatch({ type: 'close', stepCount: steps.length })}
      labels={{ ...KIT_TEXTS.tour, close: KIT_TEXTS.tour.finish, stepCounter: KIT_TEXTS.tour.counter }}
      overlayColor="var(--overlay)"
      spotlightRadius={8}
      maxWidth={340}
      transitionProps={{ transition: 'fade', duration: 180 }}
      stepTransitionDuration={180}
    >
      {steps.map((step) => (
        <Tour.Step key={`${step.route} ${step.selector}`} target={step.selector} title={step.title}>
          {step.text}
        </Tour.Step>
      ))}
    </Tour>
  )
}
