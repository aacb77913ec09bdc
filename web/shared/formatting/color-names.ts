import type { OptionColor } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'

const NAMES: { readonly [Color in OptionColor]: string } = {
  gray: t('Gray'),
  red: t('Red'),
  orange: t('Orange'),
  amber: t('Amber'),
  olive: t('Olive'),
  green: t('Green'),
  teal: t('Teal'),
  cyan: t('Cyan'),
  blue: t('Blue'),
  indigo: t('Indigo'),
  violet: t('Violet'),
  pink: t('Pink'),
}

export const colorName = (color: OptionColor): string => NAMES[color]
