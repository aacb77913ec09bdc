import type { ComponentType } from 'react'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { ViewKind, ViewOptionsOf } from '#domain/views/view-kinds.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import type { SavedChange } from '#web/shared/cell-editing/cell-actions.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellMenu, MenuCommand } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridProps, RowPlace } from '#web/ui/grid/grid-props.ts'
import type { ColorMark } from '#web/ui/grid/rows/body-row.tsx'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import type { LazyComponent } from '#web/ui/loading/lazy-module.tsx'

/** A new value in client form, as lists contain it. */
export type NewValue = { readonly field: Field; readonly value: unknown }

export type RecordPlace = RowPlace<RecordListItem>

/** What a view can do with a record. Undefined actions aren't permitted. */
export type RecordActions = {
  /** Opens the record in the side panel or, on a narrow screen, in front of the list. */
  readonly open: (record: RecordListItem) => void
  readonly hrefOf: (record: RecordListItem) => string
  /** Opens the context menu at a position in the viewport, with further commands of the view. */
  readonly openMenu: (
    record: RecordListItem,
    at: Pick<CellMenu<RecordRow>, 'xPx' | 'yPx'>,
    commands?: readonly MenuCommand[],
  ) => void
  /** Creates a record with these values, after prompting for other required fields, and opens it. */
  readonly create: ((values: { readonly [fieldName: string]: unknown }) => void) | undefined
  /**
   * Saves values of a record in one step, which can be undone. They are shown immediately and reverted if they are
   * rejected. Reports errors and conflicts to the user, and resolves when the values are saved or rejected.
   */
  readonly change: ((record: RecordListItem, values: readonly NewValue[]) => Promise<SavedChange>) | undefined
  /**
   * Moves a record in the manual order of the view; `from` is where it was, for undoing it. Resolves to whether it was
   * moved; undefined while another record is moved.
   */
  readonly reorder:
    | ((record: RecordListItem, to: RecordPlace, from: RecordPlace | undefined) => Promise<boolean> | undefined)
    | undefined
  /** Adds a change that was saved in another way to the steps that Ctrl+Z undoes. */
  readonly noteUndo: (undo: () => void) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Color of the first color rule for whole records that matches. */
  readonly colorOf: (record: RecordListItem) => ColorMark | undefined
  /** The record shown in the side panel. */
  readonly currentId: string | undefined
}

/** What views with dates show, as in the address; null unless chosen there. */
export type ShownDays = {
  readonly day: string | null
  /** Period of a calendar, or zoom of a timeline. */
  readonly period: string | null
}

export type ListingProps<Options> = {
  readonly collection: TypedCollection
  /** Identifies fields by column ID. */
  readonly options: Options
  readonly onOptions: (options: Options) => void
  /** The list's filter, search, sort order and earlier time, without pagination; see `useRecordWindow`. */
  readonly listing: Listing
  /** Names of the fields to group by, separated by commas. */
  readonly group: string | null
  readonly days: ShownDays
  /** Adds a history entry, unless it replaces the current one. With `current`, the entry that is left gets it first. */
  readonly onDays: (days: Partial<ShownDays>, step?: 'replace', current?: Partial<ShownDays>) => void
  readonly actions: RecordActions
  /** Columns, selection and texts; in views that load rows, also the rows and their commands. */
  readonly grid: GridProps<RecordRow>
  /** Whether the layout is narrow, for example on a phone. */
  readonly isNarrow: boolean
}

export type ViewOptionsFormProps<Options> = {
  readonly collection: TypedCollection
  readonly options: Options
  readonly onChange: (options: Options) => void
}

/** The UI of a view type. `Listing` is part of a list's initial load, so it must lazy-load large components. */
export type ViewKindUi<Kind extends ViewKind> = {
  readonly label: string
  readonly icon: Icon
  /**
   * `rows`: draws the rows of the list, which is paginated or scrolled, in one order. `windows`: loads its own records,
   * for example per column or month; the list has no pages then.
   */
  readonly draws: 'rows' | 'windows'
  readonly Listing: ComponentType<ListingProps<ViewOptionsOf[Kind]>>
  /** Null for kinds that have no options. */
  readonly OptionsForm: LazyComponent<ViewOptionsFormProps<ViewOptionsOf[Kind]>> | null
}
