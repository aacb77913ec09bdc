import { IconMail } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const emailTraits: KindTraits<'email'> = {
  ...EDITED_IN_CELLS,
  label: t('Email'),
  hint: t('An email address'),
  Icon: IconMail,
  read: readText,
  copyText: printText,
}
