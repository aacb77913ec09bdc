import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { isBoardField, type BoardOptions } from '#domain/views/board.ts'
import {
  CARD_FIELD_COUNTS,
  CARD_SIZES,
  type CardsOptions,
  COVER_FITS,
  type GalleryOptions,
  type ListOptions,
} from '#domain/views/cards.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import type { SettingName } from '#web/shared/setting-help/settings.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ViewOptionsFormProps } from '../view-kind.ts'

const SIZE_LABELS: { readonly [Size in GalleryOptions['size']]: string } = {
  small: t('Small'),
  medium: t('Medium'),
  large: t('Large'),
  row: t('Rows'),
}

const FIT_LABELS: { readonly [Fit in GalleryOptions['fit']]: string } = { crop: t('Crop'), fit: t('Fit') }

const FIELD_COUNTS = CARD_FIELD_COUNTS.map((value) => ({ value, label: String(value) }))

export function CardsOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<CardsOptions>) {
  const files = collection.fields.filter(({ kind }) => kind === 'files')
  return (
    <>
      <OneOf
        setting="cards-fields"
        label={t('Fields per card')}
        of={FIELD_COUNTS}
        value={options.fieldCount}
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

export function GalleryOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<GalleryOptions>) {
  return (
    <>
      <OneOf
        setting="cards-size"
        label={t('Card size')}
        of={CARD_SIZES.map((value) => ({ value, label: SIZE_LABELS[value] }))}
        value={options.size}
        onChange={(size) => onChange({ ...options, size })}
      />
      <CardsOptionsForm
        collection={collection}
        options={options}
        onChange={(changed) => onChange({ ...options, ...changed })}
      />
      {options.cover !== null && (
        <OneOf
          setting="cards-fit"
          label={t('Image fit')}
          of={COVER_FITS.map((value) => ({ value, label: FIT_LABELS[value] }))}
          value={options.fit}
          onChange={(fit) => onChange({ ...options, fit })}
        />
      )}
    </>
  )
}

export function BoardOptionsForm({ collection, options, onChange }: ViewOptionsFormProps<BoardOptions>) {
  const { by, ...cards } = options
  return (
    <>
      <WithHelp setting="board-columns">
        <Select
          size="xs"
          label={t('Columns by')}
          placeholder={t('Choose a field')}
          data={collection.fields.filter(isBoardField).map((field) => ({ value: field.id, label: field.label }))}
          value={by}
          onChange={(next) => onChange({ ...options, by: next })}
        />
      </WithHelp>
      <CardsOptionsForm collection={collection} options={cards} onChange={(next) => onChange({ ...next, by })} />
    </>
  )
}

export function ListOptionsForm({ options, onChange }: ViewOptionsFormProps<ListOptions>) {
  return (
    <OneOf
      setting="cards-fields"
      label={t('Fields per line')}
      of={FIELD_COUNTS}
      value={options.fieldCount}
      onChange={(fieldCount) => onChange({ fieldCount })}
    />
  )
}

type OneOfProps<Value extends string | number> = {
  readonly setting: SettingName
  readonly label: string
  readonly of: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function OneOf<Value extends string | number>({ setting, label, of, value, onChange }: OneOfProps<Value>) {
  const id = useId()
  return (
    <WithHelp setting={setting}>
      <h2 id={id} className="columns-heading">
        {label}
      </h2>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby={id}
        data={of.map((each) => ({ value: String(each.value), label: each.label }))}
        value={String(value)}
        onChange={(chosen) => onChange(of.find((each) => String(each.value) === chosen)?.value ?? value)}
      />
    </WithHelp>
  )
}
