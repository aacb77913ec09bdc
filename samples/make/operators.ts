/** Type of the aircraft operator; the reports don't contain it, so it is assigned here by operator name. */
export const OPERATOR_KINDS = [
  'Airline',
  'Regional airline',
  'Cargo airline',
  'Military',
  'Government',
  'Private and business',
  'Unknown',
] as const

export type OperatorKind = (typeof OPERATOR_KINDS)[number]

const NAMES: Readonly<Record<Exclude<OperatorKind, 'Airline'>, readonly string[]>> = {
  'Regional airline': [
    'AIR WISCONSIN AIRLINES',
    'ALLEGHENYAIRLINES',
    'AMERICAN EAGLE AIRLINES',
    'ATLANTIC COAST AIRLINES',
    'ATLANTIC SOUTHEAST',
    'CHAUTAUQUA AIRLINES',
    'COMAIR AIRLINES',
    'EXPRESSJET (CONTINENTAL EXPRS)',
    'GREAT LAKES AIRLINES',
    'HORIZON AIR',
    'MESA AIRLINES',
    'MESABA AIRLINES',
    'PIEDMONT AIRLINES',
    'PINNACLE',
    'PSA AIRLINES',
    'SKYWEST AIRLINES',
    'TRANS STATES AIRLINES',
  ],
  'Cargo airline': ['ABX AIR', 'ASTAR AIR CARGO', 'FEDEX EXPRESS', 'UPS AIRLINES'],
  Military: ['MILITARY'],
  Government: ['GOVERNMENT'],
  'Private and business': ['BUSINESS', 'EXECUTIVE JET AVIATION', 'PRIVATELY OWNED'],
  Unknown: ['UNKNOWN'],
}

/** Operator type by name in the reports; unlisted operators are airlines. */
export function operatorKind(name: string): OperatorKind {
  return OPERATOR_KINDS.find((kind) => kind !== 'Airline' && NAMES[kind].includes(name)) ?? 'Airline'
}
