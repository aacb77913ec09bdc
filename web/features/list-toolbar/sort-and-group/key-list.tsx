import { ActionIcon, NativeSelect } from '@mantine/core'
import { type Field, shapeOf, type FieldShape } from '#domain/fields/field.ts'
import { useReorder } from '#web/shared/reorder/use-reorder.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import type { SortKey } from '#web/features/list-toolbar/url/list-query-params.ts'
import '../list-toolbar.css'

type DirectionLabels = readonly [ascending: string, descending: string]

const ALPHABETICAL: DirectionLabels = [t('A to Z'), t('Z to A')]
const TIMES: DirectionLabels = [t('Earliest first'), t('Latest first')]

const LABELS: { readonly [Shape in FieldShape]: DirectionLabels } = {
  text: ALPHABETICAL,
  document: ALPHABETICAL,
  number: [t('Smallest first'), t('Largest first')],
  boolean: [t('No first'), t('Yes first')],
  date: TIMES,
  'date-time': TIMES,
  option: [t('First option first'), t('Last option first')],
  record: ALPHABETICAL,
  person: ALPHABETICAL,
  file: ALPHABETICAL,
  json: ALPHABETICAL,
}

function directionLabels(field: Field | undefined) {
  const [asc, desc] = field ? LABELS[shapeOf(field)] : ([t('Ascending'), t('Descending')] as const)
  return [
    { value: 'asc', label: asc },
    { value: 'desc', label: desc },
  ]
}

export type NextKeys = (keys: readonly SortKey[]) => readonly SortKey[]

type KeyListProps = {
  readonly fields: readonly Field[]
  readonly keys: readonly SortKey[]
  /** Computes keys from the last requested ones, which may not be rendered yet. */
  readonly onKeys: (next: NextKeys) => void
  readonly most: number
  readonly words: {
    readonly none: string
    readonly addFirst: string
    readonly addNext: string
    readonly remove: (label: string) => string
  }
}

export function KeyList({ fields, keys, onKeys, most, words }: KeyListProps) {
  const free = fields.filter(({ name }) => !keys.some((key) => key.field === name))
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name
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
            <NativeSelect
              size="xs"
              aria-label={t('Direction of {labelOf}', { labelOf: labelOf(key.field) })}
              value={key.direction}
              data={directionLabels(fields.find(({ name }) => name === key.field))}
              onChange={({ currentTarget }) => turn(key.field, currentTarget.value === 'desc' ? 'desc' : 'asc')}
            />
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
      {keys.length < most && free.length > 0 && (
        <Dropdown
          size="xs"
          searchable
          // Without keys, the field list opens at once.
          autoFocus={keys.length === 0 && !isTouched()}
          ariaLabel={keys.length === 0 ? words.addFirst : words.addNext}
          placeholder={`${keys.length === 0 ? words.addFirst : words.addNext}…`}
          options={free.map(({ name, label }) => ({ value: name, label }))}
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

/** On touch screens, focusing an input would open the keyboard over the list. */
const isTouched = (): boolean => window.matchMedia('(pointer: coarse)').matches
