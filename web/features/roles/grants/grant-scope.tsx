import { Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Permission, supportsPart } from '#domain/access/permission.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { MultiPick } from '#web/ui/dropdown/dropdown.tsx'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import type { SettingName } from '#web/shared/setting-help/settings.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { plural, t } from '#web/i18n/t.ts'
import type { FieldScopeKind, GrantDraft } from './grant-draft.ts'
import { isChosen, recordScopes } from './record-scopes.ts'
import { ME_LABEL } from '#web/features/roles/matrix/matrix.ts'
import { listRecords } from '#api/records.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { timeZoneQuery, userAttributesQuery } from '#web/data/queries/workspace-queries.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { quoted } from '#web/i18n/quoted.ts'

const EXAMPLES = 3

type MatchingRecordsProps = { readonly collection: TypedCollection; readonly where: Filter }

/** Shows how many records the condition currently matches, with examples. */
function MatchingRecords({ collection, where }: MatchingRecordsProps) {
  const findCollection = useFindCollection()
  const collectionOf = (id: string) => {
    const there = findCollection(id)
    return there && definitionOf(there)
  }
  const filter = printFilter(filterByName(where, { collection: definitionOf(collection), collectionOf }))
  const { data: zone, isError: isZoneUnknown } = useQuery(timeZoneQuery)
  const { data, isError } = useQuery({
    queryKey: [...queryKeys.records(collection.name), 'matching', filter, zone],
    enabled: zone !== undefined,
    queryFn: ({ signal }) =>
      call(listRecords, {
        // Grants are evaluated in the workspace's time zone.
        timeZone: zone?.timeZone,
        params: { collection: collection.name },
        query: {
          filter,
          perPage: EXAMPLES,
          count: 'capped',
          ...(collection.titleField !== null && { fields: collection.titleField }),
        },
        signal,
      }),
    retry: false,
  })
  if (isZoneUnknown || isError || !data) return null
  const titles = data.items.map((record) => quoted(recordTitle(collection, record)))
  const count = data.total ?? 0
  const matching = data.totalIs === 'atLeast' ? moreThan(count, titles) : matchingText(count, titles)
  return (
    <p className="grant-hint" role="status">
      {filter.includes('@me') ? `${t('For your account:')} ${matching}` : matching}
    </p>
  )
}

function matchingText(count: number, titles: readonly string[]): string {
  if (count === 0) return t('No records match.')
  return plural(count, 'Matches {n} record, such as {titles}.', 'Matches {n} records, such as {titles}.', {
    titles: titles.join(', '),
  })
}

const moreThan = (count: number, titles: readonly string[]): string =>
  plural(count, 'Matches more than {n} record, such as {titles}.', 'Matches more than {n} records, such as {titles}.', {
    titles: titles.join(', '),
  })

type ScopeProps = {
  readonly draft: GrantDraft
  readonly change: (part: Partial<GrantDraft>) => void
  readonly collection: TypedCollection
}

type Option<Value extends string> = { readonly value: Value; readonly label: string; readonly about?: string }

type RecordScopeProps = ScopeProps & {
  readonly permission: Permission
  readonly onWhere: (where: Filter | null, isComplete: boolean) => void
}

export function RecordScope({ draft, change, collection, permission, onWhere }: RecordScopeProps) {
  const options = recordScopes(permission, collection)
  return (
    <div className="grant-part">
      <RadioChoice
        setting="grant-records"
        legend={supportsPart(permission, 'where') ? t('Which records') : t('Allowed')}
        options={options}
        chosen={options.find(({ part }) => isChosen(part, draft))?.value ?? draft.records}
        onChange={(value) => change(options.find((option) => option.value === value)?.part ?? {})}
      />
      {draft.records === 'some' && <Condition collection={collection} where={draft.where} onWhere={onWhere} />}
    </div>
  )
}

type ConditionProps = {
  readonly collection: TypedCollection
  readonly where: Filter | null
  readonly onWhere: (where: Filter | null, isComplete: boolean) => void
}

function Condition({ collection, where, onWhere }: ConditionProps) {
  const findCollection = useFindCollection()
  const { data } = useQuery(userAttributesQuery)
  // Conditions with `@me.` attributes can't be validated until the attributes are loaded.
  if (data === undefined) return null
  return (
    <>
      <LazyConditionBuilder
        label={t('Condition')}
        collection={collection}
        findCollection={findCollection}
        value={where}
        onChange={onWhere}
        me={ME_LABEL}
        isOfGrant
        ownNotes={data.map(({ name, label }) => ({ name, label: t('their {label}', { label }) }))}
        emptyText={t('Add a condition, such as “Status is open”.')}
        needsOne
      />
      {where !== null && collection.id !== '' && <MatchingRecords collection={collection} where={where} />}
    </>
  )
}

const FIELDS: readonly Option<FieldScopeKind>[] = [
  { value: 'all', label: t('All') },
  { value: 'except', label: t('All except selected'), about: t('Includes fields added later') },
  { value: 'only', label: t('Selected'), about: t('Excludes fields added later') },
]

export function FieldScope({ draft, change, collection }: ScopeProps) {
  const { fieldChoice, fields } = draft
  return (
    <div className="grant-part">
      <RadioChoice
        setting="grant-fields"
        legend={t('Which fields')}
        options={FIELDS}
        chosen={fieldChoice}
        onChange={(next) => change({ fieldChoice: next })}
      />
      {fieldChoice !== 'all' && (
        <div className="grant-fields">
          <WithHelp setting="grant-fields">
            <MultiPick
              label={fieldChoice === 'only' ? t('Included fields') : t('Excluded fields')}
              placeholder={t('Select fields')}
              options={collection.fields.map(({ id, label }) => ({ value: id, label }))}
              value={fields}
              onChange={(chosen) => change({ fields: chosen })}
            />
          </WithHelp>
        </div>
      )}
    </div>
  )
}

type RadiosProps<Value extends string> = {
  readonly setting: SettingName
  readonly legend: string
  readonly options: readonly Option<Value>[]
  readonly chosen: Value
  readonly onChange: (value: Value) => void
}

function RadioChoice<Value extends string>({ setting, legend, options, chosen, onChange }: RadiosProps<Value>) {
  return (
    <WithHelp setting={setting}>
      <OptionSet legend={legend}>
        {options.map(({ value, label, about }) => (
          <Radio
            key={value}
            name={legend}
            value={value}
            label={label}
            description={about}
            checked={chosen === value}
            onChange={() => onChange(value)}
          />
        ))}
      </OptionSet>
    </WithHelp>
  )
}
