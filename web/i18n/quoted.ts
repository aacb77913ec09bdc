import { t } from '#web/i18n/t.ts'

/** What somebody wrote or named, in the quotes of the language. */
export const quoted = (text: string): string => t('“{text}”', { text })
