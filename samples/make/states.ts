/** Political status of a state, such as federal district or territory. */
export type StateStatus = 'State' | 'Federal district' | 'Territory'

/** Census regions, and an additional one for places outside them. */
export type StateRegion = 'Northeast' | 'Midwest' | 'South' | 'West' | 'Outside the states'

/** State or territory, with its postal code in the airport table and its number on the census map. */
export type State = {
  readonly code: string
  readonly name: string
  readonly censusId: number
  readonly region: StateRegion
  readonly status: StateStatus
}

const REGIONS: ReadonlyArray<readonly [StateRegion, StateStatus, string]> = [
  [
    'Northeast',
    'State',
    'CT 9 Connecticut, ME 23 Maine, MA 25 Massachusetts, NH 33 New Hampshire, NJ 34 New Jersey, NY 36 New York, PA 42 Pennsylvania, RI 44 Rhode Island, VT 50 Vermont',
  ],
  [
    'Midwest',
    'State',
    'IL 17 Illinois, IN 18 Indiana, IA 19 Iowa, KS 20 Kansas, MI 26 Michigan, MN 27 Minnesota, MO 29 Missouri, NE 31 Nebraska, ND 38 North Dakota, OH 39 Ohio, SD 46 South Dakota, WI 55 Wisconsin',
  ],
  [
    'South',
    'State',
    'AL 1 Alabama, AR 5 Arkansas, DE 10 Delaware, FL 12 Florida, GA 13 Georgia, KY 21 Kentucky, LA 22 Louisiana, MD 24 Maryland, MS 28 Mississippi, NC 37 North Carolina, OK 40 Oklahoma, SC 45 South Carolina, TN 47 Tennessee, TX 48 Texas, VA 51 Virginia, WV 54 West Virginia',
  ],
  [
    'West',
    'State',
    'AK 2 Alaska, AZ 4 Arizona, CA 6 California, CO 8 Colorado, HI 15 Hawaii, ID 16 Idaho, MT 30 Montana, NV 32 Nevada, NM 35 New Mexico, OR 41 Oregon, UT 49 Utah, WA 53 Washington, WY 56 Wyoming',
  ],
  ['South', 'Federal district', 'DC 11 District of Columbia'],
  // The airport table uses CQ for the Northern Mariana Islands.
  [
    'Outside the states',
    'Territory',
    'AS 60 American Samoa, GU 66 Guam, CQ 69 Northern Mariana Islands, PR 72 Puerto Rico, VI 78 United States Virgin Islands',
  ],
]

/** All states, the federal district and the territories in the airport table, by name. */
export const STATES: readonly State[] = REGIONS.flatMap(([region, status, list]) =>
  list.split(', ').map((entry) => {
    const [code = '', censusId = '', ...name] = entry.split(' ')
    return { code, name: name.join(' '), censusId: Number(censusId), region, status }
  }),
).toSorted((a, b) => (a.name < b.name ? -1 : 1))
