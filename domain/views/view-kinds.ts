import type { Collection } from '../collections/collection.ts'
import { type CardsOptions, cards } from './cards.ts'
import { type GridOptions, grid } from './grid.ts'
import type { RenameField, ViewKindRules } from './view-kind.ts'

export type ViewOptionsOf = { readonly grid: GridOptions; readonly cards: CardsOptions }

export type ViewKind = keyof ViewOptionsOf

/** `web/views/view-kinds.ts` defines how each view type is rendered. */
const RULES: { readonly [Kind in ViewKind]: ViewKindRules<ViewOptionsOf[Kind]> } = { grid, cards }

type DisplayOf<Kind extends ViewKind> = { readonly kind: Kind; readonly options: ViewOptionsOf[Kind] }

export type ViewDisplay = { readonly [Kind in ViewKind]: DisplayOf<Kind> }[ViewKind]

const displayOf = <Kind extends ViewKind>(kind: Kind, options: ViewOptionsOf[Kind]): ViewDisplay =>
  // TypeScript can't infer that the options match the kind.
  ({ kind, options }) as ViewDisplay

export const DEFAULT_DISPLAY: ViewDisplay = { kind: 'grid', options: grid.defaults }

export const defaultDisplay = (kind: ViewKind): ViewDisplay => displayOf(kind, RULES[kind].defaults)

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
