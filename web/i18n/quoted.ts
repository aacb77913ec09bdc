import { t } from '#web/i18n/t.ts'

/** Puts text in the language's quotation marks. */
export const quoted = (text: string): string => t('“{text}”', { text })
