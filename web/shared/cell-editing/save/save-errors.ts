import { t } from '#web/i18n/t.ts'

/** What cannot be taken back or done again any more. */
export const GONE = t('Your earlier edits weren’t saved.')

/** Tried often enough: others were quicker each time. */
export const TOO_MANY_CONFLICTS = {
  title: t('Someone else keeps editing these records'),
  detail: t('Nothing was saved. Try again in a moment.'),
}

/** The connection went while new records were being made. */
export const OUTCOME_UNKNOWN = {
  title: t('Can’t reach the server'),
  detail: t('The new records may or may not have been created. Check the list when the connection is back.'),
}
