import { t } from '#web/i18n/t.ts'

/** In the language's quotation marks. */
export const quoted = (text: string): string => t('“{text}”', { text })
