import { ActionIcon, NativeSelect } from '@mantine/core'
import type { ViewBody } from '#api/views.ts'
import { canGroupBy, canSortBy, type Field, type FieldShape, shapeOf } from '#domain/fields/field.ts'
import { MANUAL_ORDER, viewOfManualOrder } from '#domain/views/manual-order.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { MAX_GROUP_FIELDS, MAX_SORT_KEYS } from '#domain/query/query-limits.ts'
import {
  groupNames,
  type ListQuery,
  printGroup,
  type SortKey,
} from '#web/features/list-toolbar/url/list-query-params.ts'
import { t } from '#web/i18n/t.ts'
import { RECORD_FIELDS } from '#web/shared/fields/typed-collection.ts'
import { useReorder } from '#web/shared/reorder/use-reorder.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
import '../list-toolbar.css'

type DirectionLabels = readonly [ascending: string, descending: string]

const ALPHABETICAL: DirectionLabels = [t('A to Z'), t('Z to A')]
const TIMES: DirectionLabels = [t('Earliest first'), t('Latest first')]

const LABELS: { readonly [Shape in FieldShape]: DirectionLabels } = {
  text: ALPHABETICAL,
  document: ALPHABETICAL,
  number: [t('Smallest first'), t('Largest first')],
  boolean: [t('“No” first'), t('“Yes” first')],
  date: TIMES,
  'date-time': TIMES,
  option: [t('First option first'), t('Last option first')],
  record: ALPHABETICAL,
  person: ALPHABETICAL,
  file: ALPHABETICAL,
  json: ALPHABETICAL,
  formula: ALPHABETICAL,
}

function directionLabels(field: Field | undefined) {
  const [asc, desc] = field ? LABELS[shapeOf(valueField(field))] : ([t('Ascending'), t('Descending')] as const)
  return [
    { value: 'asc', label: asc },
    { value: 'desc', label: desc },
  ]
}

export type NextKeys = (keys: readonly SortKey[]) => readonly SortKey[]

type KeyListProps = {
  readonly fields: readonly Field[]
  readonly keys: readonly SortKey[]
  /** Called with an updater function, which receives the latest requested keys even if they aren't rendered yet. */
  readonly onKeys: (next: NextKeys) => void
  readonly max: number
  /** A key that ends the list, because it decides the whole order. */
  readonly last?: { readonly field: string; readonly label: string } | undefined
  readonly words: {
    readonly none: string
    readonly addFirst: string
    readonly addNext: string
    readonly remove: (label: string) => string
  }
}

export function KeyList({ fields, keys, onKeys, max, last, words }: KeyListProps) {
  const isLast = ({ field }: SortKey) => viewOfManualOrder(field) !== undefined
  const free = fields.filter(({ name }) => !keys.some((key) => key.field === name))
  const offered = [
    ...(last ? [{ value: last.field, label: last.label }] : []),
    ...free.map(({ name, label }) => ({ value: name, label })),
  ]
  const labelOf = (name: string) =>
    viewOfManualOrder(name) === undefined
      ? (fields.find((field) => field.name === name)?.label ?? name)
      : t('Manual order')
  const reorder = useReorder({
    items: keys,
    keyOf: ({ field }) => field,
    nameOf: ({ field }) => labelOf(field),
    onReorder: (moved) => onKeys(() => moved),
  })
  const turn = (field: string, direction: SortKey['direction']) =>
    onKeys((latest) => latest.map((key) => (key.field === field ? { field, direction } : key)))
  return (
    <>
      {keys.length === 0 && <p className="tool-hint">{words.none}</p>}
      <ul className="key-list" ref={reorder.listRef}>
        {reorder.order.map((key) => (
          <li key={key.field} className="key-line" {...reorder.itemProps(key)}>
            <button {...reorder.handleProps(key)}>
              <IconGripVertical size={16} stroke={1.5} aria-hidden />
            </button>
            <span className="key-field">{labelOf(key.field)}</span>
            {!isLast(key) && (
              <NativeSelect
                size="xs"
                aria-label={t('Direction of {labelOf}', { labelOf: labelOf(key.field) })}
                value={key.direction}
                data={directionLabels(fields.find(({ name }) => name === key.field))}
                onChange={({ currentTarget }) => turn(key.field, currentTarget.value === 'desc' ? 'desc' : 'asc')}
              />
            )}
            <ActionIcon
              size="sm"
              aria-label={words.remove(labelOf(key.field))}
              onClick={() => onKeys((latest) => latest.filter(({ field }) => field !== key.field))}
            >
              <IconX size={14} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {keys.length < max && offered.length > 0 && !keys.some(isLast) && (
        <Dropdown
          size="xs"
          searchable
          // If there are no keys yet, the field list opens immediately.
          autoFocus={keys.length === 0 && !isTouched()}
          ariaLabel={keys.length === 0 ? words.addFirst : words.addNext}
          placeholder={`${keys.length === 0 ? words.addFirst : words.addNext}…`}
          options={offered}
          value={null}
          onChange={(field) => field !== null && onKeys((latest) => [...latest, { field, direction: 'asc' }])}
        />
      )}
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </>
  )
}

/** On touch screens, focusing an input would open the on-screen keyboard over the list. */
const isTouched = (): boolean => window.matchMedia('(pointer: coarse)').matches

export type Grouped = Pick<ListQuery, 'group' | 'sort'>

export const groupKeys = ({ group, sort }: Grouped): readonly SortKey[] =>
  groupNames(group).map((field) => sort.find((key) => key.field === field) ?? { field, direction: 'asc' })

/** Sets the group fields; only groups in descending order need a sort key. */
export function withGroupKeys(before: Grouped, keys: readonly SortKey[]): Grouped {
  const grouped = [...groupNames(before.group), ...keys.map(({ field }) => field)]
  const others = before.sort.filter(({ field }) => !grouped.includes(field))
  const turned = keys.filter(({ direction }) => direction === 'desc')
  return { group: printGroup(keys.map(({ field }) => field)), sort: [...turned, ...others] }
}

export type GroupPanelProps = {
  readonly fields: readonly Field[]
  readonly grouped: Grouped
  readonly onChange: (next: (grouped: Grouped) => Grouped) => void
}

export function GroupPanel({ fields, grouped, onChange }: GroupPanelProps) {
  return (
    <KeyList
      fields={groupFields(fields)}
      keys={groupKeys(grouped)}
      onKeys={(next) => onChange((latest) => withGroupKeys(latest, next(groupKeys(latest))))}
      max={MAX_GROUP_FIELDS}
      words={GROUP_TEXTS}
    />
  )
}

const GROUP_TEXTS = {
  none: t('Not grouped. Select a field to group by.'),
  addFirst: t('Group by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove grouping by {label}', { label }),
}

const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...RECORD_FIELDS]

export const sortFields = (fields: readonly Field[]): readonly Field[] => listFields(fields).filter(canSortBy)

/** Fields to group by, which have short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(canGroupBy)

export type SortPanelProps = {
  readonly fields: readonly Field[]
  readonly sort: readonly SortKey[]
  readonly onSort: (next: NextKeys) => void
  /** The active view, which has an order of its own. */
  readonly view: Pick<ViewBody, 'id' | 'mayChange'> | undefined
}

export function SortPanel({ fields, sort, onSort, view }: SortPanelProps) {
  const order = view && `${MANUAL_ORDER}:${view.id}`
  const isManual = sort.some(({ field }) => field === order)
  return (
    <>
      <KeyList
        fields={sortFields(fields)}
        keys={sort}
        onKeys={onSort}
        max={MAX_SORT_KEYS}
        last={order === undefined ? undefined : { field: order, label: t('Manual order') }}
        words={SORT_TEXTS}
      />
      {isManual && (
        <p className="tool-hint">
          {view?.mayChange
            ? t(
                'Drag records (in a grid, by their number) or press Alt+↑ or Alt+↓. The order is shared by everyone who uses this view.',
              )
            : t('Only those who can edit this view can change its order.')}
        </p>
      )}
    </>
  )
}

const SORT_TEXTS = {
  none: t('Sorted by creation date, oldest first.'),
  addFirst: t('Sort by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove sorting by {label}', { label }),
}
