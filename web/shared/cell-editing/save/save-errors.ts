import { t } from '#web/i18n/t.ts'

/** What cannot be taken back or done again any more. */
export const GONE = t('What was edited before was not stored.')

/** Tried often enough: others were quicker each time. */
export const TOO_MANY_CONFLICTS = {
  title: t('Somebody else keeps changing these records'),
  detail: t('Nothing was stored. Try again in a moment.'),
}

/** The connection went while new records were being made. */
export const OUTCOME_UNKNOWN = {
  title: t('The server cannot be reached'),
  detail: t('It is not known whether the new records were made. Look at the list once the connection is back.'),
}
