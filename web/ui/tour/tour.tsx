import { createTheme, MantineThemeProvider, Tour } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
} from 'react'
import { useReturnFocusOnClose } from '#web/ui/dialogs/dialog.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import './tour.css'
import { nextTourState, type TourDefinition, type TourEvent, type TourState, type TourStep } from './tour-machine.ts'

/** Maximum wait for a step's element, in ms. */
const ELEMENT_WAIT_MS = 10_000

const OPTIONAL_WAIT_MS = 500

/** The first visible match, because phones render some elements differently. */
function findVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.getClientRects().length > 0)
}

function waitForElement(selector: string, signal: AbortSignal, waitMs = ELEMENT_WAIT_MS): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted || findVisible(selector)) {
      resolve(!signal.aborted)
      return
    }
    const end = (isThere: boolean) => {
      observer.disconnect()
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      resolve(isThere)
    }
    const giveUp = () => end(false)
    const observer = new MutationObserver(() => {
      if (findVisible(selector)) end(true)
    })
    const timer = setTimeout(giveUp, waitMs)
    signal.addEventListener('abort', giveUp)
    observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  })
}

export type TourProgress<Name extends string> = {
  readonly tour: Name
  readonly version: number
  readonly state: 'seen' | 'done' | 'dismissed'
  readonly step: number
}

export type TourRootProps<Name extends string> = {
  readonly children: ReactNode
  readonly onProgress?: (progress: TourProgress<Name>) => void
  readonly onMissing?: (tour: Name, selector: string) => void
}

export type TourControls<Name extends string> = {
  /** Starts or resumes a tour on the current page. Call this only in response to a click. */
  readonly start: (tour: Name, from?: number) => void
  readonly stop: () => void
  readonly running: Name | undefined
}

/** Creates a provider and hooks for the given tours. */
export function createTours<Name extends string>(registry: Readonly<Record<Name, TourDefinition>>) {
  const Controls = createContext<TourControls<Name>>({
    start() {},
    stop() {},
    running: undefined,
  })
  const isName = (name: string): name is Name => Object.hasOwn(registry, name)
  const definitionOf = (name: string) => (isName(name) ? registry[name] : undefined)

  function TourRoot(props: TourRootProps<Name>) {
    const { children } = props
    const [state, dispatch] = useReducer(nextTourState, { status: 'idle' })
    const report = useEffectEvent((progress: TourProgress<Name>) => props.onProgress?.(progress))

    const onMissing = (tour: string, selector: string) => {
      if (isName(tour)) props.onMissing?.(tour, selector)
    }

    useSeeking(state, { dispatch, definitionOf, onMissing })

    useEffect(() => {
      const reported = announcedBy(state)
      if (!reported || !isName(reported.tour)) return
      report({ ...reported, tour: reported.tour, version: registry[reported.tour].version })
    }, [state])

    const running = state.status !== 'idle' && isName(state.tour) ? state.tour : undefined
    const controls = useMemo((): TourControls<Name> => {
      // A later version of the tour may have fewer steps.
      const start = (tour: Name, from = 0) =>
        dispatch({ type: 'start', tour, from: from < registry[tour].steps.length ? from : 0 })
      const stop = () => dispatch({ type: 'close', stepCount: running ? registry[running].steps.length : 0 })
      return { start, stop, running }
    }, [running])

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

function announcedBy(
  state: TourState,
): { tour: string; state: 'seen' | 'done' | 'dismissed'; step: number } | undefined {
  if (state.status === 'showing') return { tour: state.tour, step: state.step, state: 'seen' }
  if (state.status === 'idle' && state.ended) {
    return { tour: state.ended.tour, step: state.ended.step, state: state.ended.how }
  }
  return undefined
}

type Seeking = {
  readonly dispatch: (event: TourEvent) => void
  readonly definitionOf: (tour: string) => TourDefinition | undefined
  readonly onMissing: (tour: string, selector: string) => void
}

function useSeeking(state: TourState, { dispatch, definitionOf, onMissing }: Seeking) {
  const seek = useEffectEvent(async (tour: string, at: number, signal: AbortSignal) => {
    const definition = definitionOf(tour)
    const step = definition?.steps[at]
    if (!definition || !step) return
    const isThere = await waitForElement(step.selector, signal, step.isOptional ? OPTIONAL_WAIT_MS : undefined)
    if (signal.aborted) return
    if (!isThere && !step.isOptional) onMissing(tour, step.selector)
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

type TourCardProps = {
  readonly state: TourState
  readonly definition: TourDefinition | undefined
  readonly dispatch: (event: TourEvent) => void
}

const TITLED = createTheme({ components: { TourTitle: { defaultProps: { component: 'h2' } } } })

const MOVE_MS = 180

/** Above the page, but below dialogs and the command palette. */
const TOUR_LAYER = 150

function TourCard({ state, definition, dispatch }: TourCardProps) {
  const shown = state.status === 'seeking' ? state.shown : state.status === 'showing' ? state.step : undefined
  const steps = definition?.steps ?? []
  const step = shown === undefined ? undefined : steps[shown]
  const isStill = useReducedMotion()
  const target = useTarget(step)
  const close = () => dispatch({ type: 'close', stepCount: steps.length })
  const go = (by: 1 | -1) => {
    const to = (shown ?? 0) + by
    if (to >= steps.length) close()
    else if (to >= 0) dispatch({ type: 'go', to })
  }
  useReturnFocusOnClose(step !== undefined)
  useKeepFocus(step !== undefined)
  useTourKeys(step !== undefined, { close, go })

  return (
    <MantineThemeProvider inherit theme={TITLED}>
      <Tour
        active={step !== undefined}
        step={shown ?? 0}
        onStepChange={(to) => dispatch({ type: 'go', to })}
        onClose={close}
        closeOnEscape={false}
        withKeyboardNavigation={false}
        // The page stays interactive: focus isn't trapped, and an outside click ends the tour.
        withOverlayInteraction
        closeOnOverlayClick
        zIndex={TOUR_LAYER}
        labels={{ ...UI_TEXTS.tour, close: UI_TEXTS.tour.finish, stepCounter: UI_TEXTS.tour.counter }}
        overlayColor="var(--overlay)"
        spotlightRadius={8}
        maxWidth={360}
        scrollToHandler={bringIntoView}
        transitionProps={{ transition: 'fade', duration: isStill ? 0 : MOVE_MS }}
        stepTransitionDuration={isStill ? 0 : MOVE_MS}
      >
        {steps.map((one) => (
          <Tour.Step key={one.selector} target={one === step ? target : one.selector} title={one.title}>
            {one.text}
          </Tour.Step>
        ))}
      </Tour>
      <div className="visually-hidden" aria-live="polite">
        {step && `${step.title}. ${step.text}`}
      </div>
    </MantineThemeProvider>
  )
}

function useTarget(step: TourStep | undefined): RefObject<HTMLElement | null> {
  return useMemo(() => {
    const found = step && findVisible(step.selector)
    return { current: found ? headOf(found) : null }
  }, [step])
}

/** A smaller target if the element leaves no room for the card: a list's header or a section's title. */
function headOf(element: HTMLElement): HTMLElement {
  if (hasRoom(element.getBoundingClientRect())) return element
  const first = [...element.children].find(isShown)
  return first ? headOf(first) : element
}

/** Height of the tallest card (on a phone, in German), including margins. */
const CARD_ROOM_PX = 224

function hasRoom({ top, bottom, height }: DOMRect): boolean {
  const { innerHeight } = window
  if (height > innerHeight / 2) return false
  const isInSight = top >= 0 && bottom <= innerHeight
  const room = isInSight ? Math.max(top, innerHeight - bottom) : (innerHeight - height) / 2
  return room >= CARD_ROOM_PX
}

function isShown(child: Element): child is HTMLElement {
  return child instanceof HTMLElement && child.getBoundingClientRect().height > 0
}

/** Scrolls to the top of a target taller than the window, or centers it otherwise, without animation. */
function bringIntoView(element: HTMLElement): void {
  const { top, bottom, height } = element.getBoundingClientRect()
  if (top >= 0 && bottom <= window.innerHeight) return
  element.scrollIntoView({ block: height > window.innerHeight / 2 ? 'start' : 'center', behavior: 'instant' })
}

/** If a tour ends because the user went to another page, focus stays there. */
function useKeepFocus(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
      }, 2 * MOVE_MS)
    }
  }, [isShown])
}

type TourKeys = { readonly close: () => void; readonly go: (by: 1 | -1) => void }

/** Keys control the tour only while its card or no element has focus. */
function useTourKeys(isShown: boolean, { close, go }: TourKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    const isOwn =
      target === document.body || (target instanceof Element && target.closest('.mantine-Tour-tooltip') !== null)
    if (!isOwn || event.isComposing) return
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (key === 'Escape') close()
    else if (key === 'ArrowLeft' || key === 'ArrowRight') go(key === forward ? 1 : -1)
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  useEffect(() => {
    if (!isShown) return undefined
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [isShown])
}
