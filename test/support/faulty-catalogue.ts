// A catalogue with every kind of fault. What follows #! must be said of its line, and nothing of any other line.

export const faultyCatalogue = `
accounts:
  - id: 4001
    name: Acme
    measures:
      - key: 10
        name: Web
        chanel: WEB                                       #! chanel is not a member that is known here
        surveys:                                          #! 2 versions are current
          - id: web-1
            current: true
            latents:
              - id: L-SAT
                name: Satisfaction
                type: HAPPINESS                           #! type must be one of ELEMENTS, SATISFACTION, FUTURE_BEHAVIOR
                questions:
                  - {id: Q-1, name: One}                  #! scale is missing
                  - {id: Q-2, name: Two, weight: 0, scale: {min: 1, max: 10}} #! weight must be a number above 0
                  - {id: Q-3, name: Three, scale: {min: 5, max: 5}}           #! not above its begin
              - id: L-EMPTY                               #! needs at least one measured question
                name: Empty
                type: ELEMENTS
            questions:
              - {id: Q-1, name: Again, responseType: TEXT}                    #! question id Q-1 is taken already, in line 17
              - {id: Q-4, name: Four, responseType: RADIO}                    #! A RADIO question needs answers
              - id: Q-5
                name: Five
                responseType: TEXT
                rules: [{question: Q-99, operator: equals, answer: x}]        #! there is no such question
              - id: Q-6
                name: Six
                responseType: TEXT
                rules: [{question: Q-7, operator: contains, answer: x}]       #! The rules go in a circle
              - id: Q-7
                name: Seven
                responseType: TEXT
                rules: [{question: Q-6, operator: contains, answer: x}]       #! The rules go in a circle
            parameters:
              external: [{id: E-1, name: tier, valueType: COLOUR}]            #! valueType must be one of
          - id: web-1                                     #! survey id web-1 is taken already, in line 10
            current: true
            latents:
              - id: L-SAT
                name: Satisfaction
                type: ELEMENTS
                questions: [{id: Q-1, name: One, scale: {min: 1, max: 10}}]
    projects:
      - id: 20
        name: Badge
        status: OPEN                                      #! status must be one of DRAFT, ACTIVE, INACTIVE
        surveys:
          - id: badge-1
            latents: []                                   #! The survey of a project has no latents
            public: true
            origins: [shop.example]                       #! an origin such as https://shop.example
            questions: [{id: Q-1, name: 7, responseType: TEXT}]               #! name must be a text
`;
