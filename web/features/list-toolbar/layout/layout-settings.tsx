import { Checkbox, SegmentedControl, Switch } from '@mantine/core'
import { useId } from 'react'
import { isPersonField } from '#domain/fields/system-fields.ts'
import { startDisplay, VIEW_KINDS } from '#domain/views/view-kinds.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { titleFieldOf, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useReorder } from '#web/shared/reorder/use-reorder.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import type { GridColumn, GridDensity } from '#web/ui/grid/columns/grid-column.ts'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { recordColumns } from '#web/views/grid/record-columns.tsx'
import type { ListSettings, ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { VIEW_KIND_UI, ViewOptionsForm } from '#web/views/view-kinds.tsx'
import '../../../views/listing/listing.css'

const DENSITIES: readonly { readonly value: GridDensity; readonly label: string }[] = [
  { value: 'compact', label: t('Short') },
  { value: 'normal', label: t('Medium') },
  { value: 'tall', label: t('Tall') },
]

export function ColumnSettings({ collection, look, onLook }: ListSettingsProps) {
  return (
    <>
      <WithHelp setting="list-height">
        <RowHeightSelect density={look.density} onDensity={(density) => onLook({ density })} />
      </WithHelp>
      <WithHelp setting="list-wrapped">
        <Switch
          size="xs"
          label={t('Wrap long values')}
          checked={look.isWrapped}
          onChange={({ currentTarget }) => onLook({ isWrapped: currentTarget.checked })}
        />
      </WithHelp>
      <WithHelp setting="list-filters">
        <Switch
          size="xs"
          label={t('Show column filters')}
          checked={look.areFiltersShown}
          onChange={({ currentTarget }) => onLook({ areFiltersShown: currentTarget.checked })}
        />
      </WithHelp>
      <WithHelp setting="list-figures">
        <Switch
          size="xs"
          label={t('Show summary bar')}
          checked={Object.keys(look.footers).length > 0}
          onChange={({ currentTarget }) =>
            onLook({ footers: currentTarget.checked ? defaultSummaries(collection) : {} })
          }
        />
      </WithHelp>
      <WithHelp setting="list-columns">
        <ColumnList collection={collection} look={look} onLook={onLook} />
      </WithHelp>
    </>
  )
}

type RowHeightSelectProps = { readonly density: GridDensity; readonly onDensity: (density: GridDensity) => void }

function RowHeightSelect({ density, onDensity }: RowHeightSelectProps) {
  const id = useId()
  return (
    <>
      <h2 id={id} className="columns-heading">
        {t('Row height')}
      </h2>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby={id}
        data={[...DENSITIES]}
        value={density}
        onChange={onDensity}
      />
    </>
  )
}

function defaultSummaries(collection: TypedCollection): ListSettings['footers'] {
  const title = titleFieldOf(collection) ?? collection.fields[0]
  return Object.fromEntries(title ? [[title.id, 'count']] : [['createdAt', 'count']])
}

/** Sorts columns in display order; columns without a position come last. */
function ordered(
  columns: readonly GridColumn<RecordRow>[],
  order: readonly string[],
): readonly GridColumn<RecordRow>[] {
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return columns.toSorted((left, right) => placeOf(left.id) - placeOf(right.id))
}

function ColumnList({ collection, look, onLook }: ListSettingsProps) {
  const { layout } = look
  const columns = recordColumns(collection, undefined)
  const movable = columns.filter(({ isTitle }) => !isTitle)
  // The title is always the first column, even if it isn't frozen.
  const first = columns.flatMap(({ id, isTitle }) => (isTitle ? [id] : []))
  const reorder = useReorder({
    items: ordered(movable, layout.order),
    keyOf: ({ id }) => id,
    nameOf: ({ header }) => header,
    onReorder: (moved) => onLook({ layout: { ...layout, order: [...first, ...moved.map(({ id }) => id)] } }),
  })
  const show = (id: string, isShown: boolean) => {
    const others = layout.hidden.filter((hidden) => hidden !== id)
    // Columns for the creator and last editor are hidden unless `order` contains them.
    const order = isShown && isPersonField(id) ? [...first, ...reorder.order.map((column) => column.id)] : layout.order
    onLook({ layout: { ...layout, order, hidden: isShown ? others : [...others, id] } })
  }
  return (
    <div className="columns-list">
      <h2 className="columns-heading">{t('Columns')}</h2>
      <ul ref={reorder.listRef}>
        {reorder.order.map((column) => (
          <li key={column.id} {...reorder.itemProps(column)}>
            <Checkbox
              label={column.header}
              checked={!layout.hidden.includes(column.id)}
              onChange={({ currentTarget }) => show(column.id, currentTarget.checked)}
            />
            <button {...reorder.handleProps(column)}>
              <IconGripVertical size={16} stroke={1.5} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </div>
  )
}

/** Settings for the type of view and its options. */
export function DisplaySettings({ collection, look, onLook }: ListSettingsProps) {
  const id = useId()
  const current = look.display.kind
  const offered = VIEW_KINDS.flatMap((kind) => {
    const display = kind === current ? look.display : startDisplay(kind, collection)
    return display ? [{ display, ...VIEW_KIND_UI[kind] }] : []
  })
  return (
    <>
      <WithHelp setting="list-layout">
        <h2 id={id} className="columns-heading">
          {t('Show records as')}
        </h2>
        <div role="radiogroup" aria-labelledby={id} className="layout-kinds">
          {offered.map(({ display, label, icon: KindIcon }) => (
            <label key={display.kind}>
              <input type="radio" name={id} checked={display.kind === current} onChange={() => onLook({ display })} />
              <KindIcon size={16} stroke={1.5} aria-hidden />
              {label}
            </label>
          ))}
        </div>
      </WithHelp>
      <ViewOptionsForm collection={collection} display={look.display} onChange={(display) => onLook({ display })} />
    </>
  )
}
