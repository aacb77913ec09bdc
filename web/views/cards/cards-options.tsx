import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { CARD_FIELD_COUNTS, type CardsOptions } from '#domain/views/cards.ts'
import type { ListOptions } from '#domain/views/list.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'

export function CardsOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<CardsOptions>) {
  const files = collection.fields.filter(({ kind }) => kind === 'files')
  return (
    <>
      <FieldCount
        label={t('Fields per card')}
        count={options.fieldCount}
        onChange={(fieldCount) => onChange({ ...options, fieldCount })}
      />
      {files.length > 0 && (
        <WithHelp setting="cards-cover">
          <Select
            size="xs"
            label={t('Cover image')}
            placeholder={t('No cover')}
            clearable
            data={files.map((field) => ({ value: field.id, label: field.label }))}
            value={options.cover}
            onChange={(cover) => onChange({ ...options, cover })}
          />
        </WithHelp>
      )}
    </>
  )
}

export function ListOptionsForm({ options, onChange }: ViewOptionsFormProps<ListOptions>) {
  return (
    <FieldCount
      label={t('Fields per line')}
      count={options.fieldCount}
      onChange={(fieldCount) => onChange({ fieldCount })}
    />
  )
}

type FieldCountProps = {
  readonly label: string
  readonly count: CardsOptions['fieldCount']
  readonly onChange: (count: CardsOptions['fieldCount']) => void
}

function FieldCount({ label, count, onChange }: FieldCountProps) {
  const id = useId()
  return (
    <WithHelp setting="cards-fields">
      <h2 id={id} className="columns-heading">
        {label}
      </h2>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby={id}
        data={CARD_FIELD_COUNTS.map(String)}
        value={String(count)}
        onChange={(next) => onChange(CARD_FIELD_COUNTS.find((each) => String(each) === next) ?? count)}
      />
    </WithHelp>
  )
}
