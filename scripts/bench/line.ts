import type { Figures } from './load.ts'

/** The bound a budget sets for one figure; ms, per second, MB or kB. */
export type Bound =
  | { readonly of: 'p50' | 'p95' | 'figure'; readonly atMost: number }
  | { readonly of: 'perSecond' | 'figure'; readonly atLeast: number }

/** One promise of speed: what it is about, in the words of product.md, and what the peers reach. */
export type Budget = {
  readonly what: string
  readonly budget: string
  /** Nothing: measured to know it, without a promise. */
  readonly bounds: readonly Bound[]
  /** Best and typical of the peers on the same work. */
  readonly peers: string
}

/** One line of the table. */
export type Line = {
  readonly what: string
  readonly budget: string
  readonly ours: string
  readonly peers: string
  readonly verdict: 'in' | 'OVER' | '–'
}

type Measured = Partial<Figures> & { readonly figure?: number }

function isKept(bound: Bound, measured: Measured): boolean {
  const figure = measured[bound.of]
  if (figure === undefined) return false
  return 'atMost' in bound ? figure <= bound.atMost : figure >= bound.atLeast
}

function verdictOf(bounds: readonly Bound[], measured: Measured): Line['verdict'] {
  if (bounds.length === 0) return '–'
  return bounds.every((bound) => isKept(bound, measured)) ? 'in' : 'OVER'
}

/** A number with as many digits as anybody reads. */
function short(figure: number): string {
  if (figure >= 100) return Math.round(figure).toLocaleString('en')
  return figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)
}

/** The line of requests that were measured; `cpuMs` is what one of them cost the server's processor. */
export function lineOfRequests(budget: Budget, figures: Figures, cpuMs: number | undefined): Line {
  const cpu = cpuMs === undefined ? '' : ` · cpu ${short(cpuMs)}`
  const ours = `${short(figures.p50)} / ${short(figures.p95)} ms · ${short(figures.perSecond)}/s${cpu}`
  const { what, budget: text, bounds, peers } = budget
  return { what, budget: text, ours, peers, verdict: verdictOf(bounds, figures) }
}

/** The line of a single figure; undefined where this machine does not tell it. */
export function lineOfFigure(budget: Budget, figure: number | undefined, unit: string, note = ''): Line {
  const { what, budget: text, bounds, peers } = budget
  if (figure === undefined) return { what, budget: text, ours: 'not told by this system', peers, verdict: '–' }
  return { what, budget: text, ours: `${short(figure)} ${unit}${note}`, peers, verdict: verdictOf(bounds, { figure }) }
}
