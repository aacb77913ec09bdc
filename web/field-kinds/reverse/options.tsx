import { useQuery } from '@tanstack/react-query'
import { type Field, MAX_LISTED_FIELDS, type ReverseOptions } from '#domain/fields/field.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'
import { type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'

/** A linked record field of any collection, as an option of the form. */
export function ReverseOptionsForm({ options, onChange, errorAt, isStored }: OptionsProps<'reverse'>) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const relations = collections.map(typedCollection).flatMap(({ id, label, fields }) =>
    fields
      .filter((field): field is Field<'relation'> => field.kind === 'relation')
      .map((field) => ({
        value: field.id,
        label: `${label} › ${field.label}`,
        options: { collection: id, relation: field.id } satisfies ReverseOptions,
      })),
  )
  const source = collections.find(({ id }) => id === options.collection)
  const columns = source ? typedCollection(source) : undefined
  return (
    <>
      <WithHelp setting="field-relation" isDescribed>
        <Dropdown
          label={t('Linked record field')}
          required
          readOnly={isStored}
          description={
            isStored
              ? t('Can’t be changed. Records link to this collection in this field.')
              : t('The field in which records link to this collection')
          }
          options={relations}
          value={options.relation === '' ? null : options.relation}
          onChange={(chosen) => {
            const found = relations.find(({ value }) => value === chosen)
            onChange(found?.options ?? { collection: '', relation: '' })
          }}
          error={errorAt('options.relation')}
          placeholder={t('Select a field')}
        />
      </WithHelp>
      {columns && (
        <WithHelp setting="field-linked-columns" isDescribed>
          <Dropdown
            multiple
            label={t('Columns')}
            description={t('Fields shown next to the titles of linked records')}
            placeholder={options.fields?.length ? '' : t('Chosen automatically')}
            max={MAX_LISTED_FIELDS}
            options={columns.fields
              .filter(canBeColumn(columns, options))
              .map((field) => ({ value: field.id, label: field.label, icon: traitsOf(field).Icon }))}
            value={options.fields ?? []}
            onChange={(next) =>
              onChange({
                collection: options.collection,
                relation: options.relation,
                ...(next.length > 0 && { fields: next }),
              })
            }
            error={errorAt('options.fields')}
          />
        </WithHelp>
      )}
    </>
  )
}

const canBeColumn =
  ({ titleField }: TypedCollection, { relation }: ReverseOptions) =>
  ({ id, name }: Field): boolean =>
    id !== relation && name !== titleField
