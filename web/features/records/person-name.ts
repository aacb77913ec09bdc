import { t } from '#web/language/t.ts'

/** What a user is called; one who no longer exists has no name. */
export const personName = (name: string | undefined): string => name || t('Deleted user')
