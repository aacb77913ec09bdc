import type { Collection } from '../collections/collection.ts'
import { board, type BoardOptions } from './board.ts'
import { type GalleryOptions, cards, list, type ListOptions } from './cards.ts'
import { type ChartOptions, chart } from './chart.ts'
import { calendar, type CalendarOptions, timeline, type TimelineOptions } from './dates/date-fields.ts'
import type { RenameField, ViewKindRules } from './view-kind.ts'

/** A grid has no options: its columns are part of the layout, which all view types share. */
type GridOptions = { readonly [option in never]: never }

const grid: ViewKindRules<GridOptions> = {
  startFor: () => ({}),
  read: () => ({}),
  renameFields: (options) => options,
  problem: () => null,
}

export type ViewOptionsOf = {
  readonly grid: GridOptions
  readonly cards: GalleryOptions
  readonly list: ListOptions
  readonly board: BoardOptions
  readonly calendar: CalendarOptions
  readonly timeline: TimelineOptions
  readonly chart: ChartOptions
}

export type ViewKind = keyof ViewOptionsOf

/** `web/views/view-kinds.ts` defines how each view type is rendered. */
const RULES: { readonly [Kind in ViewKind]: ViewKindRules<ViewOptionsOf[Kind]> } = {
  grid,
  cards,
  list,
  board,
  calendar,
  timeline,
  chart,
}

type DisplayOf<Kind extends ViewKind> = { readonly kind: Kind; readonly options: ViewOptionsOf[Kind] }

export type ViewDisplay = { readonly [Kind in ViewKind]: DisplayOf<Kind> }[ViewKind]

const displayOf = <Kind extends ViewKind>(kind: Kind, options: ViewOptionsOf[Kind]): ViewDisplay =>
  // TypeScript can't infer that the options match the kind.
  ({ kind, options }) as ViewDisplay

export const DEFAULT_DISPLAY: ViewDisplay = { kind: 'grid', options: {} }

export const VIEW_KINDS = Object.keys(RULES) as readonly ViewKind[]

/** A new display of the collection; null if its fields don't allow this type. */
export function startDisplay<Kind extends ViewKind>(
  kind: Kind,
  collection: Pick<Collection, 'fields'>,
): ViewDisplay | null {
  const options = RULES[kind].startFor(collection)
  return options && displayOf(kind, options)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null

/** Parses a display stored by a browser or an older version. */
export function readDisplay(stored: unknown): ViewDisplay {
  const { kind, options } = isObject(stored) ? stored : {}
  if (typeof kind !== 'string' || !isViewKind(kind)) return DEFAULT_DISPLAY
  return displayOf(kind, RULES[kind].read(isObject(options) ? options : {}))
}

const isViewKind = (kind: string): kind is ViewKind => Object.hasOwn(RULES, kind)

export const renameDisplay = <Kind extends ViewKind>(
  { kind, options }: DisplayOf<Kind>,
  rename: RenameField,
): ViewDisplay => displayOf(kind, RULES[kind].renameFields(options, rename))

/** Reason that a display is invalid for the collection; fields are given by ID. */
export function displayProblem<Kind extends ViewKind>({ kind, options }: DisplayOf<Kind>, collection: Collection) {
  const problem = RULES[kind].problem(options, collection)
  return problem && { path: `display.options.${String(problem.option)}`, message: problem.message }
}
