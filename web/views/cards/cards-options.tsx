import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { CARD_FIELD_COUNTS, type CardsOptions } from '#domain/views/cards.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'

export function CardsOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<CardsOptions>) {
  const id = useId()
  const files = collection.fields.filter(({ kind }) => kind === 'files')
  return (
    <>
      <WithHelp setting="cards-fields">
        <h2 id={id} className="columns-heading">
          {t('Fields per card')}
        </h2>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby={id}
          data={CARD_FIELD_COUNTS.map(String)}
          value={String(options.fieldCount)}
          onChange={(count) =>
            onChange({ ...options, fieldCount: CARD_FIELD_COUNTS.find((each) => String(each) === count) ?? 4 })
          }
        />
      </WithHelp>
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
